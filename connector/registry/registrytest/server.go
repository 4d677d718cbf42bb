package registrytest

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strconv"
	"sync"
)

// Reference names a schema registered before.
type Reference struct {
	Name    string `json:"name"`
	Subject string `json:"subject"`
	Version int    `json:"version"`
}

// Schema is what is registered; without a type it is Avro.
type Schema struct {
	Type       string      `json:"schemaType,omitempty"`
	Schema     string      `json:"schema"`
	References []Reference `json:"references,omitempty"`
}

// Server is a registry over HTTP.
type Server struct {
	*httptest.Server

	mu       sync.Mutex
	schemas  []Schema         // of ids from 1
	subjects map[string][]int // ids of the versions from 1
	requests map[string]int   // by path
	before   func(http.ResponseWriter, *http.Request) bool
}

// Start starts a registry over plain HTTP. Close ends it.
func Start() *Server {
	s := New()
	s.Server.Start()
	return s
}

// New makes a registry that does not listen yet.
func New() *Server {
	s := &Server{subjects: map[string][]int{}, requests: map[string]int{}}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /subjects/{subject}/versions", s.register)
	mux.HandleFunc("GET /schemas/ids/{id}", s.byID)
	mux.HandleFunc("GET /subjects/{subject}/versions/{version}", s.byVersion)
	s.Server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		s.requests[r.URL.Path]++
		before := s.before
		s.mu.Unlock()
		if before == nil || before(w, r) {
			mux.ServeHTTP(w, r)
		}
	}))
	return s
}

// Before has fn called in front of each answer, in which it may fail; false says that it has answered.
func (s *Server) Before(fn func(http.ResponseWriter, *http.Request) bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.before = fn
}

// Requests counts the requests of a path.
func (s *Server) Requests(path string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.requests[path]
}

// Register gives a schema an id, and a version of its subject.
func (s *Server) Register(subject string, schema Schema) (id int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.schemas = append(s.schemas, schema)
	id = len(s.schemas)
	s.subjects[subject] = append(s.subjects[subject], id)
	return id
}

func (s *Server) register(w http.ResponseWriter, r *http.Request) {
	var schema Schema
	if err := json.NewDecoder(r.Body).Decode(&schema); err != nil || schema.Schema == "" {
		fail(w, http.StatusUnprocessableEntity, 42201, "Invalid schema")
		return
	}
	answer(w, map[string]int{"id": s.Register(r.PathValue("subject"), schema)})
}

func (s *Server) byID(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	id, err := strconv.Atoi(r.PathValue("id"))
	if err != nil || id < 1 || id > len(s.schemas) {
		fail(w, http.StatusNotFound, 40403, "Schema not found")
		return
	}
	answer(w, s.schemas[id-1])
}

func (s *Server) byVersion(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	subject := r.PathValue("subject")
	ids, ok := s.subjects[subject]
	if !ok {
		fail(w, http.StatusNotFound, 40401, "Subject not found")
		return
	}
	version, err := strconv.Atoi(r.PathValue("version"))
	if err != nil || version < 1 || version > len(ids) {
		fail(w, http.StatusNotFound, 40402, "Version not found")
		return
	}
	id := ids[version-1]
	answer(w, struct {
		Subject string `json:"subject"`
		Version int    `json:"version"`
		ID      int    `json:"id"`
		Schema
	}{subject, version, id, s.schemas[id-1]})
}

func answer(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/vnd.schemaregistry.v1+json")
	_ = json.NewEncoder(w).Encode(v) // the client has gone
}

func fail(w http.ResponseWriter, status, code int, message string) {
	w.Header().Set("Content-Type", "application/vnd.schemaregistry.v1+json")
	w.WriteHeader(status)
	answer(w, map[string]any{"error_code": code, "message": message})
}
