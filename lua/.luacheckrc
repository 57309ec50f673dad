std = "lua51"
max_line_length = false
unused_args = true
read_globals = {
  "redis", "cjson", "cmsgpack", "struct", "bit", "KEYS", "ARGV",
}
