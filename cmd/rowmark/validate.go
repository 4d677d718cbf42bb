package main

import (
	"context"
	"errors"
	"fmt"

	"rowmark/connector"
	"rowmark/connector/config"

	"github.com/spf13/cobra"
)

func newValidate(a *app) *cobra.Command {
	var connect bool
	var format string
	cmd := &cobra.Command{
		Use:   "validate",
		Short: "Check the configuration, and with --connect what it meets in Kafka and HBase",
		Long:  "validate names every fault with file, line, key, value and what is allowed, all at once. It looks at the file, and\nat the files and environment variables that it names; with --connect also at brokers, topics, tables and the\ncheckpoint table, as a run does. It changes nothing.",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := checkFormat(format); err != nil {
				return err
			}
			ctx, stop := untilSignal(cmd.Context())
			defer stop()
			v, err := a.validate(ctx, connect)
			if err != nil {
				return err
			}
			if err := v.print(cmd.OutOrStdout(), format); err != nil {
				return err
			}
			return v.verdict()
		},
	}
	cmd.Flags().BoolVar(&connect, "connect", false, "look at the live Kafka and HBase too")
	addOutput(cmd, &format)
	return cmd
}

// validation is what was found. Config is nil if the file has faults.
type validation struct {
	file   string
	config *config.Config
	faults []connector.SurveyFault
	live   *connector.Survey // nil without --connect
}

func (a *app) validate(ctx context.Context, connect bool) (*validation, error) {
	v := &validation{file: a.file}
	c, err := a.read(config.Validate)
	var problems config.Problems
	if errors.As(err, &problems) {
		for _, p := range problems {
			v.faults = append(v.faults, connector.SurveyFault{Problem: p, Code: connector.ExitConfig})
		}
		return v, nil
	}
	if err != nil {
		return nil, err
	}
	v.config = c
	if !connect {
		return v, nil
	}
	if v.live, err = connector.NewSurvey(ctx, c, a.log); err != nil {
		return nil, err
	}
	v.faults = v.live.Faults
	return v, nil
}

// verdict is the error of the worst fault; as with partitions, that of the highest code.
func (v *validation) verdict() error {
	if len(v.faults) == 0 {
		return nil
	}
	code := 0
	for _, f := range v.faults {
		code = max(code, f.Code)
	}
	noun := "faults"
	if len(v.faults) == 1 {
		noun = "fault"
	}
	return &codedError{code, fmt.Errorf("%s: %d %s", v.file, len(v.faults), noun)}
}
