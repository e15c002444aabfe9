import { READ_HOST } from './read-host.awk.ts';
import { READ_PROCESSES } from './read-processes.awk.ts';

/**
 * Connections between tool and server: whether received data was read, and sent data has arrived. Uses functions of `read-host.awk.ts`.
 *
 * The kernel goes through all slots that connections can have: 2.5 ms of CPU for each version of IP on a small host, whatever their number. So they
 * are read every ten seconds, and when their number has changed by far: by `ss`, which queries those of one port alone (5 ms) and reports round
 * trips, or else in /proc.
 */
const READ_SOCKETS = `# --- Connections of tool and server ----------------------------------------------------------------------------------------------

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

/**
 * Reads the host's counters at each trigger, and prints a block of lines, described in docs/monitors.md. Needs nothing beyond POSIX awk: tried with
 * mawk, gawk, BusyBox and the original awk. Arguments: roots of procfs and sysfs, names of processes.
 *
 * Input: \`= CLOCK HZ PAGE PID [forks|PID]\` first (the clock minus the uptime in hundredths of a second, ticks a second, bytes of a page, the
 * process that paces, and whether it forks in order to wait, or the process that waits for it); lists in several lines, between \`p(\` and \`p)\`;
 * \`.\`: look now.
 *
 * It is cheap because it hardly forks, and passes on text that the kernel has formatted without parsing it; it only searches it for single lines.
 * Lines whose words are needed become $0, which gawk splits only as far as needed, and no awk into an array. Regular expressions are left to rare
 * cases. Numbers are passed on as text, as some awks print large ones with six digits. An mawk that reads from a pipe without delay reads by lines
 * whatever RS is, and cuts them into pieces of 4 KB (only the line of the interrupts is longer).
 */
export const READ = `${READ_HOST}
${READ_PROCESSES}
${READ_SOCKETS}
# Run time of a process in ticks: from nanoseconds, where the kernel counts them.
function ran(pid) {
  if (first(proc "/" pid "/schedstat") && $3 != "") return $1 / 1000000000 * hz
  return look(pid) ? p_user + p_system - p_children : 0
}

function read_own_cost(   ticks) {
  ticks = ran("self")
  if (ticks == 0) return
  if (pacer != "-") {
    ticks += ran(pacer)
    # What it starts in order to wait.
    if (waiter == "forks") { if (look(pacer)) ticks += p_children }
    else if (waiter != "") ticks += ran(waiter)
  }
  # What lists threads and connections.
  if (look("self")) ticks += p_children
  block = block "c " sprintf("%.4f", ticks) "\\n"
}

# --- One look --------------------------------------------------------------------------------------------------------------------

function look_around() {
  uptime = word(proc "/uptime")
  if (uptime == "" || uptime - last_look < 0.5) return
  last_look = uptime
  facts = looks % 60 == 0
  now = sprintf("%.2f", clock + uptime)
  block = "@ " now "\\n"
  read_stat()
  if (facts) {
    cores = split(block, no_matter, "\\ncpu[0-9]") - 1
    block = block "f " hz " " page "\\n"
  }
  read_memory()
  read_pressure()
  read_disks()
  read_nets()
  read_tcp()
  read_frequency()
  read_temperature()
  if (scanned) find_all()
  find_new()
  read_processes()
  read_quotas()
  read_sockets()
  read_own_cost()
  # Its length and its time once more: nothing of it is missing, and its end is not that of another.
  print block ". " length(block) " " now
  fflush()
  looks++
  scanned = 0
}

function take_list(letter, rest,   words, count, i) {
  count = split(rest, words, " ")
  for (i = 1; i <= count; i++) {
    if (letter == "p") listed[words[i]] = 1
    else if (letter == "t") zones[words[i]] = 1
    else if (letter == "a") elsewhere[words[i]] = 1
    else if (letter == "s") { if (words[i + 1] + 0 > 0) speeds[words[i]] = words[i + 1]; i++ }
    else if (words[i] !~ /\\*$/) {
      # In sysfs a slash of a name is written as an exclamation mark.
      sub(/.*\\//, "", words[i])
      gsub(/!/, "/", words[i])
      disks[words[i]] = known_disks = 1
    }
  }
}

# A name of processes: \`job:NAME\` only those of jobs, \`at:PORT,PORT:NAME\` of several servers those that listen there. \`server:PORT,PORT\`,
# \`clients:PORT,PORT\`: connections to a server that listens there, and those of its clients.
function want(told,   words, ports, count, name) {
  name = told
  if (told ~ /^(server|clients):/) {
    split(told, words, ":")
    peers[words[1]] = "," words[2] ","
    return
  }
  if (substr(told, 1, 4) == "job:") name = substr(told, 5)
  else if (substr(told, 1, 3) == "at:") {
    split(told, words, ":")
    name = substr(told, length(words[2]) + 5)
  }
  wanted[substr(name, 1, 15)] = clean(name)
  is_wanted[clean(name)] = 1
  if (name == told) return
  if (words[2] == "") { of_jobs[clean(name)] = 1; return }
  ports_of[clean(name)] = " "
  for (count = split(words[2], ports, ","); count > 0; count--) ports_of[clean(name)] = ports_of[clean(name)] sprintf("%04X", ports[count]) " "
}

function begin_list(letter,   each) {
  if (letter == "p") for (each in listed) delete listed[each]
  if (letter == "s") for (each in speeds) delete speeds[each]
  if (letter == "a") for (each in elsewhere) delete elsewhere[each]
  if (letter == "b") { known_disks = 0; for (each in disks) delete disks[each] }
}

BEGIN {
  proc = ARGV[1]
  sys = ARGV[2]
  # The kernel keeps fifteen letters of a name.
  for (i = split("sh bash dash ash busybox env taskset sudo", told, " "); i > 0; i--) shell_names[told[i]] = 1
  for (i = 3; i < ARGC; i++) want(ARGV[i])
  ARGC = 1
  pressures["cpu"] = pressures["memory"] = pressures["io"] = 1
  for (;;) {
    if ((getline line) <= 0) break
    letter = substr(line, 1, 1)
    if (letter == ".") look_around()
    else if (letter == "=") {
      split(line, told, " ")
      clock = told[2] / 100; hz = told[3]; page = told[4]; pacer = told[5]; waiter = told[6]
      reader = word(proc "/self/stat")
      # Kernels before 2.6.33 tell a name only with the numbers.
      named = first(proc "/self/comm")
    }
    else if (substr(line, 2, 1) == "(") begin_list(letter)
    else if (substr(line, 2, 1) != ")") take_list(letter, substr(line, 2))
    else if (letter == "p") scanned = 1
    else if (letter == "t") find_sensors()
  }
}
`;
