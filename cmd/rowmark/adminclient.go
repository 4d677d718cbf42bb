package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"

	"rowmark/connector"
	"rowmark/connector/config"
)

// adminTimeout bounds a request to a running connector.
const adminTimeout = 10 * time.Second

// postAdmin sends an order to the connector that runs with this configuration, and reads its answer.
func postAdmin(ctx context.Context, c *config.Config, path string, order, answer any) error {
	at, err := adminAddress(c)
	if err != nil {
		return configError(err)
	}
	token, err := c.Admin.Token()
	if err != nil {
		return configError(err)
	}
	body, err := json.Marshal(order)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, adminTimeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+at+path, bytes.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	if text := token.Reveal(); text != "" {
		req.Header.Set("Authorization", "Bearer "+text)
	}
	client := &http.Client{Transport: &http.Transport{Proxy: nil, DisableKeepAlives: true}}
	resp, err := client.Do(req)
	if dial := new(net.OpError); errors.As(err, &dial) && dial.Op == "dial" {
		return &codedError{connector.ExitUnreached, fmt.Errorf("no connector listens at %s (admin.listen): %w; is it running, with this file, and on this machine", at, dial.Err)}
	}
	if err != nil {
		return &codedError{connector.ExitUnreached, fmt.Errorf("asking the connector at %s (admin.listen): %w", at, err)}
	}
	defer func() { _ = resp.Body.Close() }()
	text, err := io.ReadAll(io.LimitReader(resp.Body, 16<<20))
	if err != nil {
		return &codedError{connector.ExitUnreached, fmt.Errorf("asking the connector at %s (admin.listen): %w", at, err)}
	}
	if resp.StatusCode != http.StatusOK {
		return refused(at, resp.StatusCode, strings.TrimSpace(string(text)))
	}
	if err := json.Unmarshal(text, answer); err != nil {
		return fmt.Errorf("reading the answer of %s (admin.listen): %w; does another program listen there", at, err)
	}
	return nil
}

// refused is what an answer other than 200 means.
func refused(at string, status int, text string) error {
	err := fmt.Errorf("the connector at %s (admin.listen) answers: %s", at, text)
	switch status {
	case http.StatusUnauthorized:
		return configError(fmt.Errorf("%w; name the one it runs with by admin.token_file or admin.token_env", err))
	case http.StatusNotFound, http.StatusMethodNotAllowed:
		return configError(fmt.Errorf("at %s (admin.listen) listens another program, or an older rowmark: it answers %d", at, status))
	case http.StatusBadRequest, http.StatusConflict:
		return configError(err)
	case http.StatusServiceUnavailable:
		return &codedError{connector.ExitUnreached, err}
	}
	return err
}

// adminAddress is where the connector of a configuration is reached from this machine.
func adminAddress(c *config.Config) (string, error) {
	listen, _ := c.Admin.Addresses()
	if listen == "" {
		return "", errors.New("admin.listen is off, so that a running connector takes no orders")
	}
	host, port, err := net.SplitHostPort(listen)
	if err != nil {
		return "", fmt.Errorf("admin.listen: %w", err)
	}
	if port == "0" {
		return "", errors.New("admin.listen takes any free port; name the one that the connector's log says it serves, by --set admin.listen=127.0.0.1:PORT")
	}
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "localhost"
	}
	return net.JoinHostPort(host, port), nil
}
