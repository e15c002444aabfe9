/**
 * Connections between tool and server: whether received data was read, and sent data has arrived. Uses functions of `read-host.awk.ts`.
 *
 * The kernel goes through all slots that connections can have: 2.5 ms of CPU for each version of IP on a small host, whatever their number. So they
 * are read every ten seconds, and when their number has changed by far: by `ss`, which queries those of one port alone (5 ms) and reports round
 * trips, or else in /proc.
 */
export const READ_SOCKETS = `# --- Connections of tool and server ----------------------------------------------------------------------------------------------

function read_sockets(   peer) {
  for (peer in peers) {
    if (!(peer == "server" ? has_tool() : 1)) { delete sockets[peer]; delete look_again[peer]; continue }
    if (looks >= look_again[peer] || looks >= look_next[peer] && has_changed(established, open_then[peer])) {
      # A thread that is full may keep answers waiting: then the moments that are looked at are more.
      look_again[peer] = looks + (busy_thread ? 4 : 10) + int(established / 100)
      look_next[peer] = looks + 3
      open_then[peer] = established
      delete sockets[peer]
      if (established <= 4096) look_at_sockets(peer)
      # A tool that has just begun connects in a moment.
      if (peer == "server" && !(peer in sockets)) look_again[peer] = looks + 2
    }
    if (peer in sockets) block = block "k " peer " " sockets[peer] "\\n"
  }
}

# A tool that begins or ends: what was seen before tells nothing of it.
function has_changed(now, then) { return now - then > 2 + then / 4 || then - now > 2 + now / 4 }

function has_tool(   name) {
  for (name in members) if (name in of_jobs) return 1
  return 0
}

function look_at_sockets(peer,   ports, count, i, command, line, known, said) {
  count = unread = unconfirmed = unconfirmed_bytes = least = known = 0
  if (!no_ss) {
    command = ""
    for (i = split(peers[peer], ports, ","); i > 0; i--)
      if (ports[i] != "") command = command (command == "" ? "" : " or ") (peer == "server" ? "dport" : "sport") " = :" ports[i]
    command = "ss -tin state established '( " command " )' 2>/dev/null"
    while ((command | getline line) > 0) {
      said = 1
      if (line ~ /^[0-9]/) { split(line, ports, " "); count++; see_socket(ports[1], ports[2]) }
      else if (match(line, /minrtt:[0-9.]+/)) { least += substr(line, RSTART + 7, RLENGTH - 7); known++ }
    }
    close(command)
    # It always prints a line with names above.
    if (!said) no_ss = 1
  }
  if (no_ss) for (i = 1; i <= 2; i++) count += look_in_proc(peer, proc "/net/tcp" (i == 2 ? "6" : ""))
  if (count) sockets[peer] = unread + 0 " " unconfirmed + 0 " " whole_number(unconfirmed_bytes) " " (known ? whole_number(1000 * least / known) : "-")
}

function see_socket(got, put) {
  if (got > 0) unread++
  if (put > 0) { unconfirmed++; unconfirmed_bytes += put }
}

function look_in_proc(peer, path,   count, end) {
  while ((getline < path) > 0) {
    if ($4 != "01") continue
    end = peer == "server" ? $3 : $2
    if (!index(peers[peer], "," hex(substr(end, length(end) - 3)) ",")) continue
    count++
    see_socket(hex(substr($5, 10)), hex(substr($5, 1, 8)))
  }
  close(path)
  return count
}

function hex(text,   i, sum) {
  for (i = 1; i <= length(text); i++) sum = 16 * sum + index("123456789ABCDEF", substr(text, i, 1))
  return sum + 0
}
`;
