package mapping

import (
	"errors"
	"regexp"
	"strings"
	"unicode"
)

var (
	namespaceRE = regexp.MustCompile(`^[A-Za-z0-9_]+$`)
	tableRE     = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9_.-]*$`)
	topicRE     = regexp.MustCompile(`^[A-Za-z0-9._-]{1,249}$`)
)

// TableName gives a table's full name, namespace:name.
func TableName(s string) (string, error) {
	space, name, ok := strings.Cut(s, ":")
	if !ok {
		space, name = "default", s
	}
	switch {
	case s == "":
		return "", errors.New("a mapping needs a table, as in table: shop:orders")
	case !namespaceRE.MatchString(space):
		return "", errors.New("a namespace has letters, digits and _")
	case !tableRE.MatchString(name):
		return "", errors.New("a table name has letters, digits, _, - and ., and begins with none of the last two")
	case space == "hbase":
		return "", errors.New("the namespace hbase belongs to HBase itself")
	}
	return space + ":" + name, nil
}

// CheckFamily says what is wrong with the name of a column family, by HBase's rules.
func CheckFamily(s string) error {
	switch {
	case s == "":
		return errors.New("a column family needs a name")
	case s[0] == '.':
		return errors.New("the name of a column family does not begin with a point")
	case strings.ContainsAny(s, `:/\`):
		return errors.New(`the name of a column family holds none of : / \`)
	case strings.ContainsFunc(s, unicode.IsControl):
		return errors.New("the name of a column family holds no control characters")
	case s == "recovered.edits":
		return errors.New("HBase keeps this name for itself")
	case len(s) > 127:
		return errors.New("the name of a column family has at most 127 bytes")
	}
	return nil
}

// topic is one entry of topics: a name or a pattern.
type topic struct {
	name string
	re   *regexp.Regexp
}

func parseTopic(s string) (topic, error) {
	if len(s) >= 2 && s[0] == '/' && s[len(s)-1] == '/' {
		body := s[1 : len(s)-1]
		if body == "" {
			return topic{}, errors.New("the pattern is empty")
		}
		re, err := regexp.Compile(`^(?:` + body + `)$`)
		if err != nil {
			return topic{}, err
		}
		return topic{name: s, re: re}, nil
	}
	if !topicRE.MatchString(s) || s == "." || s == ".." {
		return topic{}, errors.New("a topic has letters, digits and . _ -, at most 249; a pattern stands between slashes")
	}
	return topic{name: s}, nil
}

// CheckTopicName says why this can't be the name of a topic.
func CheckTopicName(name string) error {
	t, err := parseTopic(name)
	if err == nil && t.re != nil {
		return errors.New("one topic is wanted, and no pattern")
	}
	return err
}

// IsPattern says whether an entry of topics is a pattern, and no name.
func IsPattern(entry string) bool {
	t, err := parseTopic(entry)
	return err == nil && t.re != nil
}

// TopicMatches says whether a topic falls under an entry of topics.
func TopicMatches(entry, name string) bool {
	t, err := parseTopic(entry)
	return err == nil && t.matches(name)
}

func (t topic) matches(name string) bool {
	if t.re != nil {
		return t.re.MatchString(name)
	}
	return t.name == name
}

// meets says whether one topic can fall under both. Of two patterns only equal ones are known to; the others are
// looked at when a topic comes that matches both.
func (t topic) meets(u topic) bool {
	switch {
	case t.re == nil:
		return u.matches(t.name)
	case u.re == nil:
		return t.matches(u.name)
	}
	return t.name == u.name
}
