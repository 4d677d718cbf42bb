package admin

import (
	"context"
	"errors"
	"fmt"
	stdlog "log"
	"net"
	"net/http"
	"sync"
	"syscall"
	"time"

	"github.com/rs/zerolog"
)

// Limits of a server.
const (
	headerTimeout = 5 * time.Second
	readTimeout   = 10 * time.Second
	writeTimeout  = 30 * time.Second // a handler that needs longer moves it by http.ResponseController
	idleTimeout   = 2 * time.Minute
	stopTimeout   = time.Second
	headerBytes   = 16 << 10
	bodyBytes     = 64 << 10
)

// Config is how a server is reached.
type Config struct {
	Key     string // of the configuration that names Address, for errors
	Address string // host:port; port 0 is a free one
	Token   string // that requests must bear; empty: none, on an address of this machine
	Log     zerolog.Logger
}

// Server serves what is registered before Start.
type Server struct {
	conf     Config
	mux      *http.ServeMux
	http     *http.Server
	listener net.Listener
	served   sync.WaitGroup
}

// New gives a server that does not listen yet.
func New(conf Config) *Server {
	s := &Server{conf: conf, mux: http.NewServeMux()}
	s.http = &http.Server{
		Handler: s.bounded(s.mux), ReadHeaderTimeout: headerTimeout, ReadTimeout: readTimeout, IdleTimeout: idleTimeout,
		MaxHeaderBytes: headerBytes, ErrorLog: stdlog.New(quiet{&s.conf.Log}, "", 0),
	}
	return s
}

// Handle registers a handler under a pattern of http.ServeMux, as in "POST /pause". Requests need the token, if there is
// one, and those that change something a header that no page of another site can send: a Content-Type of
// application/json, or X-Rowmark with any value.
func (s *Server) Handle(pattern string, h http.Handler) { s.mux.Handle(pattern, s.guarded(h)) }

// HandleOpen is Handle for what needs no token: it must change nothing and tell nothing that is not for all.
func (s *Server) HandleOpen(pattern string, h http.Handler) { s.mux.Handle(pattern, s.local(h)) }

// ErrPortTaken says that another process listens on the address.
var ErrPortTaken = errors.New("another process listens there")

// Start listens and serves until Close.
func (s *Server) Start() error {
	listener, err := net.Listen("tcp", s.conf.Address)
	if errors.Is(err, syscall.EADDRINUSE) {
		err = ErrPortTaken
	}
	if err != nil {
		return fmt.Errorf("listening on %s (%s): %w", s.conf.Address, s.conf.Key, err)
	}
	s.listener = listener
	life, end := context.WithCancel(context.Background())
	s.http.BaseContext = func(net.Listener) context.Context { return life }
	s.http.RegisterOnShutdown(end) // what streams goes on until then
	s.served.Go(func() { _ = s.http.Serve(listener) })
	return nil
}

// Addr is where it listens, after Start.
func (s *Server) Addr() string { return s.listener.Addr().String() }

// Close stops listening, and lets requests under way end, for a second at most.
func (s *Server) Close() {
	ctx, cancel := context.WithTimeout(context.Background(), stopTimeout)
	defer cancel()
	if s.http.Shutdown(ctx) != nil {
		_ = s.http.Close()
	}
	s.served.Wait()
}

// quiet writes what net/http complains of, such as broken requests, where only those see it who look for it.
type quiet struct{ log *zerolog.Logger }

func (q quiet) Write(line []byte) (int, error) {
	q.log.Debug().Str("said", string(line)).Msg("admin server")
	return len(line), nil
}
