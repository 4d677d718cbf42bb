package mapping

// template compiles a text that may have fields in it: it gives a template, or the literal that the text is.
func (c *compiler) template(key, text string, r *rule) (*template, []byte) {
	if !hasFields(text) {
		return nil, []byte(text)
	}
	t, err := parseTemplate(text)
	if err != nil {
		c.bad(key, text, "%v", err)
		return nil, []byte(text)
	}
	fields := 0
	for i := range t.parts {
		p := &t.parts[i]
		if p.group > 0 {
			c.bad(key, text, "${%d}: only the name of a table takes parts of a topic's pattern", p.group)
		}
		if p.ref != nil {
			c.depth(key, p.ref, r)
		}
		if !p.fixed() {
			fields++
		}
	}
	if fields == 0 {
		return nil, t.begin()
	}
	return t, nil
}
