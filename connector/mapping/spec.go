package mapping

import (
	"time"

	"rowmark/connector/decode"
	"rowmark/rowkey"
)

// Spec is one entry of the YAML's tables section: where some topics' records go, and as what.
type Spec struct {
	// Topics are topic names, or patterns between slashes that must match the whole name, as in /orders-.*/.
	Topics []string `yaml:"topics" json:"topics" need:"true"`
	// Table is namespace:name, or name alone in the namespace default. It may be made of ${topic}, of ${1} and so on, the
	// parts in parentheses of the topic's pattern, and of the record's fields as in Column.To.
	Table string `yaml:"table" json:"table" need:"true"`
	// Tables are those that may come out of a Table with fields; a record for another takes the error path. They are
	// needed where the record has a say; else any table may come out, and is looked at when its topic is found.
	Tables []string `yaml:"tables" json:"tables,omitempty"`
	// Key and Value say how the record's bytes are read.
	Key   Format `yaml:"key" json:"key"`
	Value Format `yaml:"value" json:"value"`
	// Filter says which records are mapped, as in value.type == "order" && value.total > 10, see package filter. A record
	// for which it fails takes the error path.
	Filter string `yaml:"filter" json:"filter,omitempty"`
	// RowKey is the row key's parts, in the order of the key, see package rowkey.
	RowKey rowkey.Spec `yaml:"row_key" json:"row_key" need:"true"`
	// Splits are the keys between which rowmark init cuts a new table, in any order: text, or 0x and hex digits. They
	// stand in place of the splits that a salt gives.
	Splits []string `yaml:"splits" json:"splits,omitempty"`
	// Columns say which fields go to which columns. A missing field leaves its column alone.
	Columns []Column `yaml:"columns" json:"columns" need:"true"`
	// OnNull is what a null does to its column: skip (default) leaves it, delete removes it, empty writes a cell
	// without bytes.
	OnNull string `yaml:"on_null" json:"on_null"`
	// OnTombstone is what a record without a value does: delete-row or ignore. Unset is delete-row; where the row
	// can't be told from such a record, that is refused, and ignore must be said; of change events it is ignore then.
	OnTombstone string `yaml:"on_tombstone" json:"on_tombstone"`
	// OnDelete is what a change event that deletes a row does: delete-row (default) or ignore. With ignore an update
	// that moves a row to another key leaves the old row, too.
	OnDelete string `yaml:"on_delete" json:"on_delete,omitempty"`
	// OnTruncate is what a change event does that empties the whole table of its source: fail (default) is the
	// record's error path, ignore passes it. HBase can't empty a table exactly once.
	OnTruncate string `yaml:"on_truncate" json:"on_truncate,omitempty"`
	// Replace has each record drop the columns of its row that it lacks: a delete of the families goes before its
	// cells. It needs order: log.
	Replace bool `yaml:"replace" json:"replace,omitempty"`
	// DeleteFamilies are the families that a row delete and Replace empty; unset, every family this mapping puts into.
	DeleteFamilies []string `yaml:"delete_families" json:"delete_families,omitempty"`
	// TTL is how long the cells live, counted from their own time; unset, as long as the family says. HBase counts in
	// milliseconds.
	TTL time.Duration `yaml:"ttl" json:"ttl,omitempty"`
	// Visibility is an expression of labels that a reader must hold, as in secret&!public. It takes an HBase with the
	// coprocessor VisibilityController, without which everyone would read the cells (so that a start without it is
	// refused), and labels that are defined there.
	Visibility string `yaml:"visibility" json:"visibility,omitempty"`
	// OnError is what a record does that can't become a row: fail (default) stops its partition, dead-letter writes it
	// to the table of dead letters and passes, skip counts it and passes.
	OnError string `yaml:"on_error" json:"on_error"`
	// Order is log (default): the last record of a row wins; or time: the newest one.
	Order string `yaml:"order" json:"order"`
	// Timestamp is record (default), or the field that holds the record's time, as in value.updated_at. A
	// tombstone has no fields and takes the record's.
	Timestamp string `yaml:"timestamp" json:"timestamp"`
	// TimestampUnit is what the field counts since 1970: ms (default), s, us, ns; or rfc3339 text.
	TimestampUnit string `yaml:"timestamp_unit" json:"timestamp_unit,omitempty"`
	// MaxFuture is how far the field's time may lie ahead of the record's own; 1h unless set. It is compared with
	// the record and not with a clock, since a replay must decide the same.
	MaxFuture time.Duration `yaml:"max_future" json:"max_future,omitempty"`
	// MaxPast is how far the field's time may lie behind the record's own; unset, as far as it will.
	MaxPast time.Duration `yaml:"max_past" json:"max_past,omitempty"`
	// AllowDuplicates lets increments and appends through with delivery: at-least-once, where a retry counts twice.
	AllowDuplicates bool `yaml:"allow_duplicates" json:"allow_duplicates,omitempty"`
}

// Format is the key or value entry of a Spec.
type Format struct {
	// Format is how the bytes are read; connect is the object of schema and payload that Kafka Connect's JsonConverter
	// writes. Only what has fields can be gone into by a path, as in value.customer.id.
	Format string `yaml:"format" json:"format"`
	// Columns are the names of the fields of csv and tsv, in their order.
	Columns []string `yaml:"columns" json:"columns,omitempty"`
	// Delimiter is the character between the fields: a comma for csv, a tab for tsv, unless set.
	Delimiter string `yaml:"delimiter" json:"delimiter,omitempty"`
	// Quote is the character around fields that hold delimiters or line ends: " for csv, none for tsv, unless set.
	Quote string `yaml:"quote" json:"quote,omitempty"`
	// Null is the text, not quoted, that stands for null, such as \N; unset, nothing does.
	Null *string `yaml:"null" json:"null,omitempty"`
	// Compression is gzip; auto, which is gzip where the bytes begin so; or none (default).
	Compression string `yaml:"compression" json:"compression,omitempty"`
	// Events says that a value (never a key) tells of changes of rows, in the form of debezium, debezium-flat, canal or
	// maxwell.
	Events string `yaml:"events" json:"events,omitempty"`
	// Unavailable is the text by which Debezium says that a value did not change and was not read; its own default
	// unless set. It never overwrites.
	Unavailable string `yaml:"unavailable" json:"unavailable,omitempty"`
	// Framing says what stands in front of the Avro of a record: confluent (default; the id of a schema in the
	// registry), single-object (a fingerprint) or none.
	Framing string `yaml:"framing" json:"framing,omitempty"`
	// Schema is the file of the Avro schema, for single-object and none.
	Schema string `yaml:"schema" json:"-"`
	// SchemaText is what the file holds. The stored mapping keeps it, since the file may change.
	SchemaText string `yaml:"-" json:"schema_text,omitempty"`
}

// Column is one rule for columns: a field (or a literal) to one column, or a wildcard to a family.
type Column struct {
	// Field is a reference: value, key, topic, partition, offset, timestamp or header.NAME, and a path below value and
	// key, as in value.customer.id; of change events also before, the row before it, and event, the whole of one;
	// see rowkey.ParseRef.
	Field string `yaml:"field" json:"field,omitempty"`
	// Literal is fixed text in place of a field: an increment by 1 counts records.
	Literal *string `yaml:"literal" json:"literal,omitempty"`
	// Template is text made of fields in place of a field, as in "${value.first} ${value.last}". See To for its form; here
	// an empty field is fine.
	Template string `yaml:"template" json:"template,omitempty"`
	// Coalesce are fields, of which the first counts that is neither missing nor null.
	Coalesce []string `yaml:"coalesce" json:"coalesce,omitempty"`
	// Trim takes white space off both ends of the value. It comes first of the changes, then Substring, Upper or Lower, and
	// Date; a missing or null value passes them. What is larger belongs upstream of the topic.
	Trim bool `yaml:"trim" json:"trim,omitempty"`
	// Substring is some characters of the value; a shorter one gives what it has.
	Substring *Substring `yaml:"substring" json:"substring,omitempty"`
	// Upper and Lower change the case of the value, character by character.
	Upper bool `yaml:"upper" json:"upper,omitempty"`
	Lower bool `yaml:"lower" json:"lower,omitempty"`
	// Date reads the value as a time in one form and writes it in another.
	Date *Date `yaml:"date" json:"date,omitempty"`
	// Default stands for a missing or null value; it is not changed.
	Default *string `yaml:"default" json:"default,omitempty"`
	// To is family:qualifier. In the qualifier ${value.date} stands for a field's text, and $${ for ${ itself. A field
	// that is missing, null or empty is an error, unless it has a default: ${value.date|default:none}. It may also be
	// followed by trim, upper, lower and date:LAYOUT@ZONE, which reads milliseconds; without @ZONE it writes UTC. The family
	// may hold fields too, with the list of Families.
	To string `yaml:"to" json:"to,omitempty"`
	// Families are those that may come out of a family with fields in it, as in to: "${value.kind}:total" or to_family.
	// A record that names another one takes the error path.
	Families []string `yaml:"families" json:"families,omitempty"`
	// Op is put (default), increment (of a whole number), append, or delete-column (which removes the column when
	// the field is there, null or not; without a field, always).
	Op string `yaml:"op" json:"op,omitempty"`
	// As is the encoding, see ParseEncoding; string unless set.
	As string `yaml:"as" json:"as,omitempty"`
	// OnNull overrides the mapping's for this column.
	OnNull string `yaml:"on_null" json:"on_null,omitempty"`
	// TTL overrides the mapping's for this column.
	TTL time.Duration `yaml:"ttl" json:"ttl,omitempty"`
	// Visibility overrides the mapping's for this column.
	Visibility string `yaml:"visibility" json:"visibility,omitempty"`

	// Fields is a wildcard such as value.* or value.address.*: one column per member.
	Fields string `yaml:"fields" json:"fields,omitempty"`
	// Only are the references that the wildcard takes, unset all; a * in a name stands for any text.
	Only []string `yaml:"only" json:"only,omitempty"`
	// Except are the references that the wildcard leaves out, also of those in Only.
	Except []string `yaml:"except" json:"except,omitempty"`
	// ToFamily is the family of a wildcard; the qualifiers are the members' names.
	ToFamily string `yaml:"to_family" json:"to_family,omitempty"`
	// Prefix stands before each name in the qualifiers of a wildcard.
	Prefix string `yaml:"prefix" json:"prefix,omitempty"`
	// Nested is what a wildcard makes of an object in it: json (default), its text in one column; path, a column of
	// each member, named by the names on the way to it; or refuse.
	Nested string `yaml:"nested" json:"nested,omitempty"`
	// Arrays is the same for arrays, whose elements are named by their numbers, from 0.
	Arrays string `yaml:"arrays" json:"arrays,omitempty"`
	// Separator stands between the names of a path; a point unless set. A record in which a name holds it, or ends as it
	// begins so that a path could be read in two ways, takes the error path.
	Separator string `yaml:"separator" json:"separator,omitempty"`
}

// Substring is some characters of a text; a shorter text gives what it has.
type Substring struct {
	// From is how many characters are left out before.
	From int `yaml:"from" json:"from,omitempty"`
	// Length is how many characters are taken; unset or 0, all that follow.
	Length int `yaml:"length" json:"length,omitempty"`
}

// Date reads a time in one form and writes it in another.
type Date struct {
	// From is the form that is read: ms (default), s, us, ns or days since 1970, rfc3339, or a layout of Go's package time,
	// which is how it writes the second of January 2006, 15:04:05, as in 2006-01-02 15:04:05. A layout has the year.
	From string `yaml:"from" json:"from,omitempty"`
	// To is the form that is written, one of the same.
	To string `yaml:"to" json:"to,omitempty" need:"true"`
	// Zone is that of a layout without one, and of what is written; UTC unless set. A time that its clocks show twice is read
	// as the earlier, one that they skip as so much later as they skip. Zone data of the machine goes before that of the
	// program, which it needs not have.
	Zone string `yaml:"zone" json:"zone,omitempty"`
}

// Options is what else a mapping must fit.
type Options struct {
	MarkFamily  string // may not hold data; empty: not checked
	AtLeastOnce bool   // delivery: at-least-once
	Letters     string // the table of dead letters, for mappings with on_error: dead-letter
	// Schemas are those of the schema registry; nil: there is none.
	Schemas decode.Schemas
}

// Problem is one fault of the specs; its path begins with the index, as in [0].columns[2].to.
type Problem = rowkey.Problem
