package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/agntn/conform/fakes/wire"
	"github.com/agntn/conform/scenarios"
	"github.com/agntn/conform/suite"
)

// floorLimit bounds how long the frames of a run are sent again.
const floorLimit = time.Minute

// floorOf is what the target needs for the frames of a run, in milliseconds; 0
// when that could not be measured.
func floorOf(ctx context.Context, cfg suite.Config, rec *scenarios.Record) int64 {
	ctx, cancel := context.WithTimeout(ctx, floorLimit)
	defer cancel()
	f, err := suite.MeasureFloor(ctx, cfg, suite.Tapes(rec))
	if err != nil {
		return 0
	}
	return f.Wall.Milliseconds()
}

// floor sends recorded frames to a target again and prints how long it takes.
func floor(ctx context.Context, out io.Writer, against string, files []string) error {
	var cfg suite.Config
	if strings.HasPrefix(against, "http://") || strings.HasPrefix(against, "https://") {
		cfg.Target.URL = against
	} else {
		words, err := splitCommand(against)
		if err != nil {
			return usage("--against: %v", err)
		}
		cfg.Target.Command = words
	}
	var tapes []*wire.Tape
	for _, name := range files {
		file, err := os.Open(name)
		if err != nil {
			return usage("%v", err)
		}
		_, rec, err := suite.ReadRecord(file)
		file.Close()
		if err != nil {
			return usage("%s: %v", name, err)
		}
		tapes = append(tapes, suite.Tapes(rec)...)
	}
	transport := "stdio"
	if cfg.Target.URL != "" {
		transport = "http"
	}
	for _, t := range tapes {
		t.Transport = transport // what went over another one goes over the one that is given
	}
	f, err := suite.MeasureFloor(ctx, cfg, tapes)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "floor %d ms: %d lines, %d processes, %d requests, %d answers lost\n", f.Wall.Milliseconds(), f.Lines, f.Processes, f.Requests, f.Lost)
	return nil
}
