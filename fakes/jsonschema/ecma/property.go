package ecma

import (
	"strings"
	"unicode"
)

// property finds the set of \p{name=value}. known is false for a name that
// ECMA-262 does not have; a nil set with known true is one we have no data for.
func property(text string) (set Set, known bool) {
	name, value, pair := strings.Cut(text, "=")
	if pair {
		switch name {
		case "General_Category", "gc":
			return category(value)
		case "Script", "sc", "Script_Extensions", "scx":
			return script(value, strings.HasPrefix(name, "Script_") || name == "scx")
		}
		return nil, false
	}
	if set, ok := category(name); ok {
		return set, true
	}
	return binary(name)
}

func category(name string) (Set, bool) {
	if short, ok := longCategory(name); ok {
		name = short
	}
	switch name {
	case "LC":
		return fromTable(unicode.Lu, unicode.Ll, unicode.Lt), true
	case "Cn":
		return invert(assigned()), true
	case "C":
		return normal(append(invert(assigned()), fromTable(unicode.C)...)), true
	}
	if table, ok := unicode.Categories[name]; ok {
		return fromTable(table), true
	}
	return nil, false
}

func assigned() Set {
	return fromTable(unicode.L, unicode.M, unicode.N, unicode.P, unicode.S, unicode.Z, unicode.C)
}

func longCategory(name string) (short string, ok bool) {
	const names = " Cased_Letter=LC Close_Punctuation=Pe Connector_Punctuation=Pc Control=Cc cntrl=Cc" +
		" Currency_Symbol=Sc Dash_Punctuation=Pd Decimal_Number=Nd digit=Nd Enclosing_Mark=Me Final_Punctuation=Pf" +
		" Format=Cf Initial_Punctuation=Pi Letter=L Letter_Number=Nl Line_Separator=Zl Lowercase_Letter=Ll Mark=M" +
		" Combining_Mark=M Math_Symbol=Sm Modifier_Letter=Lm Modifier_Symbol=Sk Nonspacing_Mark=Mn Number=N" +
		" Open_Punctuation=Ps Other=C Other_Letter=Lo Other_Number=No Other_Punctuation=Po Other_Symbol=So" +
		" Paragraph_Separator=Zp Private_Use=Co Punctuation=P punct=P Separator=Z Space_Separator=Zs Spacing_Mark=Mc" +
		" Surrogate=Cs Symbol=S Titlecase_Letter=Lt Unassigned=Cn Uppercase_Letter=Lu "
	_, rest, found := strings.Cut(names, " "+name+"=")
	if !found {
		return "", false
	}
	short, _, _ = strings.Cut(rest, " ")
	return short, true
}

// script knows the long names and the codes of the scripts met most. Extensions
// are no part of our data, and a code of four letters may be any other script.
func script(name string, extensions bool) (Set, bool) {
	const codes = " Arab=Arabic Armn=Armenian Beng=Bengali Bopo=Bopomofo Cyrl=Cyrillic Deva=Devanagari Ethi=Ethiopic" +
		" Geor=Georgian Grek=Greek Gujr=Gujarati Guru=Gurmukhi Hang=Hangul Hani=Han Hebr=Hebrew Hira=Hiragana" +
		" Kana=Katakana Khmr=Khmer Knda=Kannada Laoo=Lao Latn=Latin Mlym=Malayalam Mong=Mongolian Mymr=Myanmar" +
		" Sinh=Sinhala Taml=Tamil Telu=Telugu Thaa=Thaana Thai=Thai Tibt=Tibetan Zinh=Inherited Zyyy=Common "
	if _, rest, found := strings.Cut(codes, " "+name+"="); found {
		name, _, _ = strings.Cut(rest, " ")
	}
	table, ok := unicode.Scripts[name]
	if !ok {
		return nil, len(name) == 4 && name[0] >= 'A' && name[0] <= 'Z'
	}
	if extensions {
		return nil, true
	}
	return fromTable(table), true
}

func binary(name string) (Set, bool) {
	switch name {
	case "Any":
		return Set{{0, maxRune}}, true
	case "ASCII":
		return Set{{0, 0x7F}}, true
	case "Assigned":
		return assigned(), true
	case "Alphabetic", "Alpha":
		return fromTable(unicode.L, unicode.Nl, unicode.Other_Alphabetic), true
	case "Uppercase", "Upper":
		return fromTable(unicode.Lu, unicode.Other_Uppercase), true
	case "Lowercase", "Lower":
		return fromTable(unicode.Ll, unicode.Other_Lowercase), true
	case "ID_Start", "IDS":
		return idStart(), true
	case "ID_Continue", "IDC":
		return normal(append(idStart(), fromTable(unicode.Mn, unicode.Mc, unicode.Nd, unicode.Pc, unicode.Other_ID_Continue)...)), true
	case "Math":
		return fromTable(unicode.Sm, unicode.Other_Math), true
	}
	if table, ok := unicode.Properties[longProperty(name)]; ok && !strings.HasPrefix(name, "Other_") {
		return fromTable(table), true
	}
	return nil, unknownData(name)
}

func idStart() Set {
	return minus(fromTable(unicode.L, unicode.Nl, unicode.Other_ID_Start), fromTable(unicode.Pattern_Syntax, unicode.Pattern_White_Space))
}

func longProperty(name string) string {
	const names = " AHex=ASCII_Hex_Digit Bidi_C=Bidi_Control Dep=Deprecated Dia=Diacritic Ext=Extender Hex=Hex_Digit" +
		" IDSB=IDS_Binary_Operator IDST=IDS_Trinary_Operator Ideo=Ideographic Join_C=Join_Control" +
		" LOE=Logical_Order_Exception NChar=Noncharacter_Code_Point Pat_Syn=Pattern_Syntax" +
		" Pat_WS=Pattern_White_Space QMark=Quotation_Mark RI=Regional_Indicator STerm=Sentence_Terminal SD=Soft_Dotted" +
		" Term=Terminal_Punctuation UIdeo=Unified_Ideograph VS=Variation_Selector space=White_Space "
	if _, rest, found := strings.Cut(names, " "+name+"="); found {
		name, _, _ = strings.Cut(rest, " ")
	}
	return name
}

// unknownData lists the properties of ECMA-262 that Go's tables do not hold.
func unknownData(name string) bool {
	const names = " Bidi_Mirrored Bidi_M Case_Ignorable CI Cased Changes_When_Casefolded CWCF Changes_When_Casemapped" +
		" CWCM Changes_When_Lowercased CWL Changes_When_NFKC_Casefolded CWKCF Changes_When_Titlecased CWT" +
		" Changes_When_Uppercased CWU Default_Ignorable_Code_Point DI Emoji Emoji_Component EComp Emoji_Modifier EMod" +
		" Emoji_Modifier_Base EBase Emoji_Presentation EPres Extended_Pictographic ExtPict Grapheme_Base Gr_Base" +
		" Grapheme_Extend Gr_Ext XID_Continue XIDC XID_Start XIDS "
	return strings.Contains(names, " "+name+" ")
}
