// Package preview shows what records become, for people: rows with their keys and cells, the marks they would carry,
// the regions they would go to, or the error that on_error would see. The records come from a live topic or from
// samples. It writes nothing, and unlike the errors of a run it shows the records' content, which is what it is asked
// for.
//
// It knows of a mapping only what mapping.Set.Map gives, so that what mappings learn shows without it learning too.
package preview
