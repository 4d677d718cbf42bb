package admin

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"rowmark/connector/status"
)

// FlowOrder is the body of POST /pause and POST /resume.
type FlowOrder struct {
	// Sink is whom the order is for: another connector on the address refuses it. Empty: whoever it is.
	Sink string `json:"sink,omitempty"`
	// Partitions are topic or topic/partition; none are all.
	Partitions []string `json:"partitions"`
}

// FlowAnswer is what came of it.
type FlowAnswer struct {
	// Sources are the partitions that were meant and that are here now, as they stand.
	Sources []status.Source `json:"sources"`
	// Here are the partitions of the topics named that are here, where none of those that were meant is.
	Here []string `json:"here,omitempty"`
}

// flowTimeout is how long an order may wait for the connector.
const flowTimeout = 5 * time.Second

// Flow carries out an order by do, which gives the sources that were meant. An error is the order's, unless the time ran
// out.
func Flow(now func() *status.Snapshot, do func(ctx context.Context, names []string) ([]status.Source, error)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var order FlowOrder
		in := json.NewDecoder(r.Body)
		in.DisallowUnknownFields()
		if err := in.Decode(&order); err != nil {
			http.Error(w, fmt.Sprintf("reading the body, which names sink and partitions as JSON: %v", err), http.StatusBadRequest)
			return
		}
		if sink := now().Sink; order.Sink != "" && order.Sink != sink {
			http.Error(w, fmt.Sprintf("the connector that runs here is that of sink %q", sink), http.StatusConflict)
			return
		}
		if now().Phase == status.Connecting {
			http.Error(w, "the connector is still connecting: it has no partitions yet", http.StatusServiceUnavailable)
			return
		}
		ctx, cancel := context.WithTimeout(r.Context(), flowTimeout)
		defer cancel()
		sources, err := do(ctx, order.Partitions)
		switch {
		case errors.Is(err, context.DeadlineExceeded):
			http.Error(w, err.Error(), http.StatusServiceUnavailable)
		case err != nil:
			http.Error(w, err.Error(), http.StatusBadRequest)
		default:
			out := FlowAnswer{Sources: sources}
			if len(sources) == 0 {
				out.Here = partitionsOf(order.Partitions, now().Sources)
			}
			answer(w, http.StatusOK, out)
		}
	})
}

// partitionsOf gives the partitions of the topics that were named.
func partitionsOf(names []string, all []status.Source) []string {
	var out []string
	for i := range all {
		if slices.ContainsFunc(names, func(name string) bool {
			topic, _, _ := strings.Cut(name, "/")
			return topic == all[i].Topic
		}) {
			out = append(out, fmt.Sprintf("%s/%d", all[i].Topic, all[i].Partition))
		}
	}
	return out
}
