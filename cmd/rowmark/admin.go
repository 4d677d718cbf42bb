package main

import (
	"context"
	"errors"
	"net/http"

	"rowmark/connector/admin"
	"rowmark/connector/admin/page"
	"rowmark/connector/config"
	"rowmark/connector/status"
)

// shown is what tells of a run: an engine, or several one after the other.
type shown interface {
	Snapshot() *status.Snapshot
	Metrics() http.Handler
	Pause(ctx context.Context, names []string) ([]status.Source, error)
	Resume(ctx context.Context, names []string) ([]status.Source, error)
}

// admin serves what a run tells of itself, and its profiles, until stop is called. It goes on without where another process
// has the port, unless meant says that this run must have the port of a key.
func (a *app) admin(c *config.Config, e shown, meant func(key string) bool) (stop func(), err error) {
	token, err := c.Admin.Token()
	if err != nil {
		return nil, configError(err)
	}
	watched, unwatch := context.WithCancel(context.Background())
	var running []*admin.Server
	stop = func() {
		unwatch()
		for _, s := range running {
			s.Close()
		}
	}
	serve := func(key, address string, register func(*admin.Server)) error {
		if address == "" {
			return nil
		}
		s := admin.New(admin.Config{Key: key, Address: address, Token: token.Reveal(), Log: a.log})
		register(s)
		if err := s.Start(); err != nil {
			if errors.Is(err, admin.ErrPortTaken) && !meant(key) {
				a.log.Warn().Err(err).Msg("running without the admin server; give this process a port of its own with " + key + ", or set it to off")
				return nil
			}
			return configError(err)
		}
		running = append(running, s)
		a.log.Info().Str("address", s.Addr()).Msg("serving " + key)
		return nil
	}
	listen, pprof := c.Admin.Addresses()
	err = serve("admin.listen", listen, func(s *admin.Server) {
		s.HandleOpen("GET /healthz", admin.Health(e.Snapshot))
		s.HandleOpen("GET /readyz", admin.Ready(e.Snapshot))
		s.Handle("GET /metrics", e.Metrics())
		s.Handle("GET /status.json", admin.Status(e.Snapshot))
		s.Handle("POST /pause", admin.Flow(e.Snapshot, e.Pause))
		s.Handle("POST /resume", admin.Flow(e.Snapshot, e.Resume))
		pages := page.Handler(watched, e.Snapshot)
		s.HandleOpen("GET /{$}", pages) // it tells nothing, and asks for the token that its stream needs
		s.Handle("GET /events", pages)
	})
	if err == nil {
		err = serve("admin.pprof", pprof, (*admin.Server).HandleProfiles)
	}
	if err != nil {
		stop()
	}
	return stop, err
}
