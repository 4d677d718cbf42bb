package config

import (
	"errors"
	"fmt"
	"os"
	"strings"
)

// Secret is text that no format verb, JSON or YAML writer shows. Reveal gives it.
type Secret struct {
	text *string // behind a pointer, since fmt calls no method on what lies in an unexported field
}

// Reveal gives the text.
func (s Secret) Reveal() string {
	if s.text == nil {
		return ""
	}
	return *s.text
}

const hidden = "(hidden)"

// String hides the text.
func (s Secret) String() string { return hidden }

// Format hides the text from every verb.
func (s Secret) Format(f fmt.State, _ rune) { _, _ = f.Write([]byte(hidden)) }

// MarshalText hides the text from encoders.
func (s Secret) MarshalText() ([]byte, error) { return []byte(hidden), nil }

// Credentials reads the login from where it is kept. Without a mechanism it is empty. The errors name the key, and
// neither the name of the file or variable, which may hold a password by mistake, nor any content.
func (s SASL) Credentials() (user string, password Secret, err error) {
	if s.Mechanism == "" {
		return "", Secret{}, nil
	}
	user = s.Username
	if s.UsernameFile != "" {
		if user, err = readLine(s.UsernameFile); err != nil {
			return "", Secret{}, fmt.Errorf("reading the file that kafka.sasl.username_file names: %w", err)
		}
	}
	text, err := kept("kafka.sasl.password", s.PasswordFile, s.PasswordEnv)
	if err != nil {
		return "", Secret{}, err
	}
	if user == "" || text == "" {
		return "", Secret{}, errors.New("reading the login of kafka.sasl: the user name or the password is empty")
	}
	return user, Secret{&text}, nil
}

// kept reads what the file of key_file holds, or the variable of key_env. The errors name the key alone.
func kept(key, file, variable string) (string, error) {
	if file != "" {
		text, err := readLine(file)
		if err != nil {
			return "", fmt.Errorf("reading the file that %s_file names: %w", key, err)
		}
		return text, nil
	}
	text, ok := os.LookupEnv(variable)
	if !ok {
		return "", fmt.Errorf("reading the variable that %s_env names: it is not set", key)
	}
	return text, nil
}

func readLine(path string) (string, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return "", reason(err)
	}
	text := strings.TrimSuffix(string(data), "\n")
	return strings.TrimSuffix(text, "\r"), nil
}
