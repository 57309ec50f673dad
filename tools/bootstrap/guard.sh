#!/bin/sh
# Runs "$@" on a rope: prints its pid, and stops it when standard input closes, that is, when whoever started it is gone,
# however it went. Output of the program goes to $REPRISE_GUARD_LOG. Ends with the program's exit code.
exec 3<&0 </dev/null
"$@" 3<&- >>"${REPRISE_GUARD_LOG:-/dev/null}" 2>&1 &
child=$!
echo "$child"
exec >/dev/null 2>&1
trap 'kill -TERM "$child"' TERM INT HUP
(
  trap - TERM INT HUP
  read -r _ <&3
  kill -TERM "$child"
  left=15
  while [ "$left" -gt 0 ] && kill -0 "$child"; do
    sleep 1
    left=$((left - 1))
  done
  kill -KILL "$child"
) &
rope=$!
wait "$child"
code=$?
# A trapped signal cuts wait short while the program still winds up.
while kill -0 "$child"; do
  wait "$child"
  code=$?
done
kill "$rope"
exit "$code"
