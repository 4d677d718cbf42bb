package connector

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"rowmark/connector/config"
	"rowmark/connector/decode"
	"rowmark/hbase"
	"rowmark/kafka"

	"github.com/rs/zerolog"
)

// surveyWait is how long a survey waits for a service, since somebody sits in front of it.
const surveyWait = 15 * time.Second

// brief ends when a service has been waited for long enough.
func (s *surveyor) brief(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(ctx, min(surveyWait, s.opts.StartTimeout))
}

// Survey is what a configuration meets on the live services.
type Survey struct {
	Cluster string       // id of the Kafka cluster
	Topics  []TopicFound // sorted by name
	Tables  []TableFound // as mapping.Set.Tables
	Faults  []SurveyFault
}

// TopicFound is a topic that some mapping takes.
type TopicFound struct {
	Name       string
	Partitions int
	Patterns   []string // that match it; none if it is named alone
}

// TableFound is a table that can be written to.
type TableFound struct {
	Name    string
	Regions int
	Commit  string // how, in words; empty: it can't be told yet
	Because string // why not by region transactions, or why it can't be told
}

// SurveyFault is something that a run would stumble over, and the exit code that it would end with.
type SurveyFault struct {
	config.Problem
	Code int
}

// NewSurvey compares a configuration with Kafka and HBase, by the checks of a run and without its writes but one: that
// HBase honours conditions is seen by a put whose condition can't hold, on a scratch row.
func NewSurvey(ctx context.Context, c *config.Config, log zerolog.Logger) (*Survey, error) {
	opts, err := OptionsOf(c, log)
	if err != nil {
		return nil, err
	}
	s := &surveyor{Engine: Unconnected(opts), config: c}
	s.ctx = ctx
	defer func() {
		if s.kafka != nil {
			_ = s.kafka.Close()
		}
		if s.hbase != nil {
			s.hbase.Close()
		}
	}()
	var all sync.WaitGroup
	all.Go(func() { s.lookAtKafka(ctx) })
	all.Go(func() { s.lookAtHBase(ctx) })
	all.Go(func() { s.lookAtRegistry(ctx) })
	all.Wait()
	if s.served { // some tables are named after the topics
		s.lookAtTables(ctx)
	}
	s.lookAtBinding(ctx)
	slices.SortStableFunc(s.found.Faults, func(a, b SurveyFault) int { return a.Line - b.Line })
	return &s.found, ctx.Err()
}

// errUntold says why it is open how tables are written to.
var errUntold = errors.New("whether this HBase honours conditions is tried on the checkpoint table, which can't be used")

// surveyor has the checks of an engine that is never run.
type surveyor struct {
	*Engine
	config *config.Config

	mu     sync.Mutex // all services are looked at together
	found  Survey
	ready  bool // the checkpoint table can be read
	served bool // HBase is there to be asked for tables
}

func (s *surveyor) fault(code int, key, value, text string, args ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.found.Faults = append(s.found.Faults, SurveyFault{s.config.Problem(key, value, text, args...), code})
}

// lookAtKafka reaches the brokers and looks for the topics.
func (s *surveyor) lookAtKafka(ctx context.Context) {
	reach, cancel := s.brief(ctx)
	defer cancel()
	client, err := kafka.Open(reach, s.opts.Kafka)
	if err != nil {
		s.fault(ExitUnreached, "kafka.brokers", strings.Join(s.opts.Kafka.Brokers, ","), "no broker answers as it should: %v", err)
		return
	}
	s.kafka = client
	for _, w := range client.Warnings() {
		s.log.Warn().Msg(w)
	}
	if s.found.Cluster, err = client.ClusterID(reach); err == nil {
		err = s.lookForTopics(ctx)
	}
	if err == nil {
		if err := s.checkLetterTopic(ctx); err != nil {
			s.fault(surveyCode(err), "dead_letters.topic", s.opts.LetterTopic, "%v", err)
		}
	}
	if err != nil {
		s.fault(ExitUnreached, "kafka.brokers", strings.Join(s.opts.Kafka.Brokers, ","), "%v", err)
	}
}

// lookAtHBase reaches HBase, and looks at the checkpoint table.
func (s *surveyor) lookAtHBase(ctx context.Context) {
	reach, cancel := s.brief(ctx)
	defer cancel()
	client, err := hbase.Open(reach, s.opts.HBase)
	if err != nil {
		s.fault(ExitUnreached, "hbase.zookeeper", strings.Join(s.opts.HBase.ZooKeeper, ","), "HBase is not reached: %v", err)
		return
	}
	s.hbase = client
	s.store = &Store{Client: client, Table: s.opts.CheckpointTable, Sink: s.opts.Core.Sink}
	err = s.checkCheckpointTable(reach)
	s.ready = err == nil
	if err == nil && !s.opts.Core.AtLeastOnce {
		err = s.checkConditions(reach)
	}
	if err != nil {
		s.fault(surveyCode(err), "hbase.checkpoint_table", s.opts.CheckpointTable, "%v", err)
		if surveyCode(err) == ExitUnreached {
			return // the other tables would tell the same
		}
		if !s.opts.Core.AtLeastOnce {
			s.regionErr = errUntold // so none is tried on other tables
		}
	}
	s.served = true
}

// lookAtRegistry asks the schema registry for any schema: that there is none is an answer too.
func (s *surveyor) lookAtRegistry(ctx context.Context) {
	if s.config.Schemas == nil {
		return
	}
	ctx, cancel := s.brief(ctx)
	defer cancel()
	_, err := s.config.Schemas.Schema(1)
	if later := new(decode.Later); errors.As(err, &later) {
		if err := later.Wait(ctx); err != nil {
			s.fault(ExitUnreached, "schema_registry.urls", strings.Join(s.config.SchemaRegistry.URLs, ","), "the schema registry does not answer as it should: %v", err)
		}
	}
}

// lookAtBinding sees whether the sink belongs to this Kafka cluster.
func (s *surveyor) lookAtBinding(ctx context.Context) {
	if !s.ready || s.found.Cluster == "" {
		return
	}
	ctx, cancel := s.brief(ctx)
	defer cancel()
	if err := s.store.CheckBinding(ctx, s.found.Cluster); err != nil {
		s.fault(surveyCode(err), "sink", s.opts.Core.Sink, "%v", err)
	}
}

// surveyCode is ExitCode, but for a service that did not answer in time.
func surveyCode(err error) int {
	switch hbase.FaultOf(err) {
	case hbase.FaultConnect, hbase.FaultBusy, hbase.FaultRelocate:
		return ExitUnreached
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return ExitUnreached
	}
	return ExitCode(err)
}
