package main

import (
	"os"
	"strings"

	"rowmark/connector/config"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"
	"github.com/spf13/viper"
)

// app is what the commands share: the settings laid over the file, and the log.
type app struct {
	file      string
	logFormat string
	logLevel  string
	log       zerolog.Logger
	screen    *screen // that the log goes to
	overlay   *viper.Viper
	flags     map[string]string // --set key=value
}

func newApp() *app {
	a := &app{overlay: viper.New(), log: zerolog.Nop(), screen: &screen{out: os.Stderr}}
	a.overlay.SetEnvPrefix("ROWMARK")
	a.overlay.SetEnvKeyReplacer(strings.NewReplacer(".", "_"))
	return a
}

func newRoot() *cobra.Command { return newApp().root() }

func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:           "rowmark",
		Short:         "From Kafka to HBase, exactly once",
		Long:          "rowmark reads offset ranges of Kafka partitions and writes rows to HBase, each together with the\npartition's offset in one conditional mutation, so that data and offset land or fail together.",
		SilenceUsage:  true,
		SilenceErrors: true,
		PersistentPreRunE: func(*cobra.Command, []string) (err error) {
			a.log, err = newLog(a.logFormat, a.logLevel, a.screen)
			return err
		},
	}
	f := root.PersistentFlags()
	f.StringVarP(&a.file, "config", "c", "rowmark.yaml", "configuration file")
	f.StringVar(&a.logFormat, "log-format", "auto", "auto (text on a terminal, else JSON), text or json")
	f.StringVar(&a.logLevel, "log-level", "info", "trace, debug, info, warn or error")
	f.StringToStringVar(&a.flags, "set", nil, "lay a setting over the file: --set kafka.brokers=host:9092 (also by environment: ROWMARK_KAFKA_BROKERS)")
	root.AddCommand(newInit(a), newRun(a), newPause(a), newResume(a), newValidate(a), newPreview(a), newSchema(), newOffsets(a), newDeadLetters(a), newReprocess(a), newVerify(a), newInspect(a), newDemo(a), newVersion())
	return root
}

// config loads the file and lays the environment and then the flags over it.
func (a *app) config() (*config.Config, error) { return a.read(config.Load) }

// read has the file read by load, with what the environment and the flags lay over it.
func (a *app) read(load func(string, ...config.Override) (*config.Config, error)) (*config.Config, error) {
	var over []config.Override
	for _, k := range config.Keys() {
		if err := a.overlay.BindEnv(k.Path); err != nil {
			return nil, err
		}
		if a.overlay.IsSet(k.Path) {
			env := "ROWMARK_" + strings.ToUpper(strings.ReplaceAll(k.Path, ".", "_"))
			over = append(over, config.Override{Path: k.Path, Value: a.overlay.GetString(k.Path), Origin: env})
		}
	}
	a.warnUnknownEnv()
	for path, value := range a.flags {
		over = append(over, config.Override{Path: path, Value: value, Origin: "--set " + path})
	}
	c, err := load(a.file, over...)
	if err != nil {
		return nil, configError(err)
	}
	return c, nil
}

// warnUnknownEnv tells of ROWMARK_… variables that name no setting. They don't stop the start: orchestrators put
// variables of their own there.
func (a *app) warnUnknownEnv() {
	known := map[string]bool{"ROWMARK_SKIP_REAL": true}
	for _, k := range config.Keys() {
		known["ROWMARK_"+strings.ToUpper(strings.ReplaceAll(k.Path, ".", "_"))] = true
	}
	for _, pair := range os.Environ() {
		name, _, _ := strings.Cut(pair, "=")
		if strings.HasPrefix(name, "ROWMARK_") && !strings.HasPrefix(name, "ROWMARK_TEST_") && !known[name] {
			a.log.Warn().Str("variable", name).Msg("this environment variable names no setting and is ignored")
		}
	}
}
