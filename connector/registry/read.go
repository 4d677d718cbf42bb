package registry

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"

	"rowmark/connector/decode"
)

const (
	// maxAnswer bounds what is read of one answer, in bytes.
	maxAnswer = 16 << 20
	// maxReferences bounds the schemas that one schema may lead to.
	maxReferences = 1000
	// schemaNotFound is the code with which a registry says that it has no schema of an id. Without it a 404 only says
	// that the URL is wrong.
	schemaNotFound = 40403
)

// answered is what a registry says of a schema.
type answered struct {
	Type       decode.SchemaKind `json:"schemaType"`
	Schema     string            `json:"schema"`
	References []struct {
		Name    string `json:"name"`
		Subject string `json:"subject"`
		Version int    `json:"version"`
	} `json:"references"`
}

// refusal is an answer that is no schema. It shows nothing of the answer but its codes.
type refusal struct {
	status int
	Code   int `json:"error_code"`
}

func (r *refusal) Error() string {
	text := fmt.Sprintf("it answers HTTP %d %s", r.status, http.StatusText(r.status))
	if r.Code != 0 {
		text += fmt.Sprintf(", code %d", r.Code)
	}
	return text
}

// read reads a schema and all that it refers to.
func (c *Client) read(ctx context.Context, id uint32) (*decode.Schema, error) {
	a, err := c.get(ctx, "schemas", "ids", strconv.FormatUint(uint64(id), 10))
	if r := new(refusal); errors.As(err, &r) && r.status == http.StatusNotFound && r.Code == schemaNotFound {
		return nil, &UnknownError{id}
	}
	if err != nil {
		return nil, err
	}
	w := &walk{client: c, seen: map[subjectVersion]*decode.Schema{}}
	return w.schema(ctx, a)
}

type subjectVersion struct {
	subject string
	version int
}

// walk follows references, each once.
type walk struct {
	client *Client
	seen   map[subjectVersion]*decode.Schema
}

func (w *walk) schema(ctx context.Context, a *answered) (*decode.Schema, error) {
	s := &decode.Schema{Kind: a.Type, Text: a.Schema}
	if s.Kind == "" {
		s.Kind = decode.AvroSchema // as registries leave it out
	}
	for _, r := range a.References {
		to, err := w.reference(ctx, subjectVersion{r.Subject, r.Version})
		if err != nil {
			return nil, fmt.Errorf("reading its reference %s, version %d of subject %s: %w", r.Name, r.Version, r.Subject, err)
		}
		s.References = append(s.References, decode.Reference{Name: r.Name, Schema: to})
	}
	return s, nil
}

var (
	errCircle = errors.New("it refers to itself")
	errMany   = fmt.Errorf("it leads to more than %d others", maxReferences)
)

func (w *walk) reference(ctx context.Context, at subjectVersion) (*decode.Schema, error) {
	if s, ok := w.seen[at]; ok {
		if s == nil {
			return nil, errCircle
		}
		return s, nil
	}
	if len(w.seen) >= maxReferences {
		return nil, errMany
	}
	w.seen[at] = nil
	a, err := w.client.get(ctx, "subjects", at.subject, "versions", strconv.Itoa(at.version))
	if err != nil {
		return nil, err
	}
	s, err := w.schema(ctx, a)
	if err == nil {
		w.seen[at] = s
	}
	return s, err
}

var errClosed = errors.New("the schema registry's client is not open")

// get asks one URL after the other. An answer that the others would give too, a 404 with a registry's own code, ends it.
func (c *Client) get(ctx context.Context, path ...string) (*answered, error) {
	c.mu.Lock()
	conf, client := c.conf, c.http
	c.mu.Unlock()
	if client == nil {
		return nil, errClosed
	}
	for i := range path {
		path[i] = url.PathEscape(path[i])
	}
	var all error
	for _, base := range conf.URLs {
		a, err := request(ctx, client, &conf, base, path)
		if err == nil {
			return a, nil
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if all == nil {
			all = fmt.Errorf("%s: %w", base, err)
		} else {
			all = fmt.Errorf("%w; %s: %w", all, base, err)
		}
		if r := new(refusal); errors.As(err, &r) && r.status == http.StatusNotFound && r.Code != 0 {
			break
		}
	}
	return nil, all
}

func request(ctx context.Context, client *http.Client, conf *Config, base string, path []string) (*answered, error) {
	target, err := url.Parse(base)
	if err != nil {
		return nil, err
	}
	target = target.JoinPath(path...)
	target.RawQuery = "deleted=true" // what a record was written with is read, though nobody writes with it any more
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, target.String(), nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Accept", "application/vnd.schemaregistry.v1+json, application/json")
	switch {
	case conf.Token != "":
		req.Header.Set("Authorization", "Bearer "+conf.Token)
	case conf.Username != "":
		req.SetBasicAuth(conf.Username, conf.Password)
	}
	res, err := client.Do(req)
	if u := new(url.Error); errors.As(err, &u) {
		return nil, u.Err // the URL is named anyway
	} else if err != nil {
		return nil, err
	}
	defer func() { _ = res.Body.Close() }() // read as far as wanted
	body, err := io.ReadAll(io.LimitReader(res.Body, maxAnswer+1))
	if err != nil {
		return nil, err
	}
	if res.StatusCode != http.StatusOK {
		r := &refusal{status: res.StatusCode}
		_ = json.Unmarshal(body, r) // a proxy on the way answers with no JSON
		return nil, r
	}
	a := &answered{}
	if err := json.Unmarshal(body, a); err != nil || len(body) > maxAnswer {
		return nil, errors.New("its answer is no schema, or larger than 16 MiB")
	}
	return a, nil
}
