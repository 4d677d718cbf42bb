package mapping

import (
	"bytes"
	"crypto/md5"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"strings"

	"rowmark/rowkey"
)

// unavailable knows the forms in which Debezium says that a value did not change and was not read (PostgreSQL's TOAST,
// Oracle's LOBs): the placeholder as text, as bytes in each binary.handling.mode, as the one element of an array, as an
// array of its bytes, and as the one entry of an hstore.
type unavailable struct{ forms [][]byte }

func newUnavailable(text string) *unavailable {
	data := []byte(text)
	sum := md5.Sum(data) // an array of uuid has one of version 3
	sum[6], sum[8] = sum[6]&0x0f|0x30, sum[8]&0x3f|0x80
	uuid := fmt.Sprintf("%x-%x-%x-%x-%x", sum[:4], sum[4:6], sum[6:8], sum[8:10], sum[10:])
	scalars := []string{text, base64.StdEncoding.EncodeToString(data), base64.URLEncoding.EncodeToString(data), hex.EncodeToString(data)}
	u := &unavailable{}
	add := func(form string) { u.forms = append(u.forms, []byte(form)) }
	for _, s := range scalars {
		add(s)
		add(`["` + s + `"]`)
	}
	numbers := make([]string, len(data))
	for i, b := range data {
		numbers[i] = fmt.Sprint(int8(b))
	}
	add("[" + strings.Join(numbers, ",") + "]")
	add(`["` + uuid + `"]`)
	add(fmt.Sprintf(`{"%s":"%s"}`, text, text))
	return u
}

// is says whether a value stands for one that was left out.
func (u *unavailable) is(v rowkey.Value) bool {
	if u == nil || v.Kind < rowkey.Text {
		return false
	}
	for _, form := range u.forms {
		if bytes.Equal(form, v.Text) {
			return true
		}
	}
	return false
}
