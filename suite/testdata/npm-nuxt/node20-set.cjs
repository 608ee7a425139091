// Nuxt 4.5 builds with the set methods of Node 22. This adds them to Node 20.
const has = (other, x) => (typeof other.has === "function" ? other.has(x) : [...other].includes(x));
const methods = {
  difference: (a, b) => new Set([...a].filter((x) => !has(b, x))),
  intersection: (a, b) => new Set([...a].filter((x) => has(b, x))),
  union: (a, b) => new Set([...a, ...b.keys()]),
  symmetricDifference: (a, b) =>
    new Set([...methods.difference(a, b), ...[...b.keys()].filter((x) => !a.has(x))]),
  isSubsetOf: (a, b) => [...a].every((x) => has(b, x)),
  isSupersetOf: (a, b) => [...b.keys()].every((x) => a.has(x)),
  isDisjointFrom: (a, b) => [...a].every((x) => !has(b, x)),
};
for (const [name, method] of Object.entries(methods)) {
  if (Set.prototype[name]) continue;
  Object.defineProperty(Set.prototype, name, {
    value(other) {
      return method(this, other);
    },
    configurable: true,
    writable: true,
  });
}
