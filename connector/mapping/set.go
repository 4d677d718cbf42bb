package mapping

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"

	"rowmark/connector/decode"
)

// Set is the compiled mappings. It is safe for concurrent use.
type Set struct {
	rules     []*rule
	letters   string // the table of dead letters, "" if no mapping writes any
	canonical []byte
	hash      string
	plans     sync.Map // topic name to *plan
	workers   sync.Pool
}

// plan is what happens to a topic.
type plan struct {
	topic []byte
	rules []*rule
	err   error
}

// canonicalVersion changes when the same text would map records otherwise.
const canonicalVersion = 1

type canonicalForm struct {
	Version int    `json:"version"`
	Tables  []Spec `json:"tables"`
	Letters string `json:"letters,omitempty"`
}

func newSet(rules []*rule, letters string) *Set {
	form := canonicalForm{Version: canonicalVersion, Letters: letters}
	for _, r := range rules {
		form.Tables = append(form.Tables, r.spec)
	}
	text, err := json.Marshal(form)
	if err != nil {
		panic(fmt.Sprintf("writing a mapping's canonical text: %v", err)) // strings and numbers only: can't be
	}
	sum := sha256.Sum256(text)
	set := &Set{rules: rules, letters: letters, canonical: text, hash: hex.EncodeToString(sum[:]), workers: sync.Pool{New: func() any { return new(worker) }}}
	named, _ := set.Topics()
	for _, name := range named {
		set.plan(name) // tells their tables
	}
	return set
}

// Canonical is the text of all that decides what a record becomes, defaults written out. It is stored with the checkpoint and compiled again by CompileCanonical.
func (s *Set) Canonical() []byte { return bytes.Clone(s.canonical) }

// Hash is the SHA-256 of Canonical in hex.
func (s *Set) Hash() string { return s.hash }

// Continues says whether this set makes the same rows as the stored one, of which text is the canonical text, and is
// nowhere stricter: where it passes records by on_error, the stored one may stop, but not the other way round.
func (s *Set) Continues(text []byte) bool {
	var was canonicalForm
	if json.Unmarshal(text, &was) != nil || was.Version != canonicalVersion || len(was.Tables) != len(s.rules) {
		return false
	}
	if was.Letters != "" && s.letters != "" && was.Letters != s.letters {
		return false // a letter of there would be written here, too
	}
	for i, r := range s.rules {
		a, b := was.Tables[i], r.spec
		if a.OnError != "fail" && b.OnError == "fail" {
			return false
		}
		a.OnError, b.OnError = "", ""
		a.AllowDuplicates, b.AllowDuplicates = false, false
		a.Splits, b.Splits = nil, nil
		x, err1 := json.Marshal(a)
		y, err2 := json.Marshal(b)
		if err1 != nil || err2 != nil || !bytes.Equal(x, y) {
			return false
		}
	}
	return true
}

// CompileCanonical compiles the text that Canonical gave. It was checked against the rest of the configuration in its
// time, so that only the schemas of the registry are wanted.
func CompileCanonical(text []byte, schemas decode.Schemas) (*Set, error) {
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	var form canonicalForm
	if err := dec.Decode(&form); err != nil {
		return nil, fmt.Errorf("reading stored mapping, perhaps of a newer version: %w", err)
	}
	if form.Version != canonicalVersion {
		return nil, fmt.Errorf("reading stored mapping: its version is %d, this program knows %d", form.Version, canonicalVersion)
	}
	set, problems := Compile(form.Tables, Options{Schemas: schemas, Letters: form.Letters})
	if len(problems) > 0 {
		errs := make([]error, len(problems))
		for i := range problems {
			errs[i] = problems[i]
		}
		return nil, fmt.Errorf("compiling stored mapping: %w", errors.Join(errs...))
	}
	return set, nil
}

func (s *Set) plan(name string) *plan {
	if p, ok := s.plans.Load(name); ok {
		return p.(*plan)
	}
	p := &plan{topic: []byte(name)}
	for _, r := range s.rules {
		if !r.matches(name) {
			continue
		}
		r, err := r.forTopic(name)
		if err != nil {
			p.err = err
			continue
		}
		for _, q := range p.rules {
			if err := twiceOn(q, r); err != nil && p.err == nil {
				p.err = err
			}
		}
		p.rules = append(p.rules, r)
	}
	if len(p.rules) == 0 && p.err == nil {
		p.err = errors.New("no mapping names this topic")
	}
	got, _ := s.plans.LoadOrStore(name, p)
	return got.(*plan)
}

// Matches says whether a mapping takes the topic.
func (s *Set) Matches(topic string) bool {
	return slices.ContainsFunc(s.rules, func(r *rule) bool { return r.matches(topic) })
}

// CheckTopic says why a topic's records can't be mapped: no mapping takes it, or two patterns that both match it
// clash. Call it once a topic is known to exist.
func (s *Set) CheckTopic(topic string) error { return s.plan(topic).err }

// Topics gives the topics named, sorted, and the patterns, with their slashes.
func (s *Set) Topics() (names, patterns []string) {
	n, p := map[string]bool{}, map[string]bool{}
	for _, r := range s.rules {
		for _, t := range r.topics {
			if t.re != nil {
				p[t.name] = true
			} else {
				n[t.name] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(n)), slices.Sorted(maps.Keys(p))
}

// TablesOf gives the tables that a topic's records go to, sorted.
func (s *Set) TablesOf(topic string) []string {
	out := map[string]bool{}
	for _, r := range s.plan(topic).rules {
		names, _ := r.tables()
		for _, name := range names {
			out[name] = true
		}
		if r.onError == OnErrorDeadLetter {
			out[s.letters] = true
		}
	}
	return slices.Sorted(maps.Keys(out))
}

// Counts says that some record of the topic may increment or append.
func (s *Set) Counts(topic string) bool {
	for _, r := range s.plan(topic).rules {
		for i := range r.columns {
			if r.columns[i].counts() {
				return true
			}
		}
	}
	return false
}
