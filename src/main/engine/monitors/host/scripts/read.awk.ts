/**
 * Reads the host's counters each time it is told to, and prints a block of lines; what they are is in docs/monitors.md. Needs nothing that
 * POSIX awk lacks: tried with mawk, gawk, BusyBox and the original awk. Arguments: roots of procfs and sysfs, names of processes.
 *
 * Input: \`= CLOCK HZ PAGE PID\` first (the clock minus the uptime in hundredths of a second, ticks a second, bytes of a page, the process
 * that paces); lists in several lines, \`p(\` before and \`p)\` behind; \`.\`: look now.
 *
 * What makes it cheap: no fork, and what the kernel has formatted is passed on without a look into it; only single lines are found in it.
 * Numbers are passed on as text, as some awks print large ones with six digits. Files are read line by line and with no RS of our own: an mawk
 * that reads from a pipe without delay knows no other, and it cuts lines into pieces of 4 KB (only that of the interrupts is longer).
 */
export const READ = `
# The file as one text that begins with a line end, "" if it cannot be read.
function slurp(path,   text, line) {
  text = ""
  while ((getline line < path) > 0) text = text "\\n" line
  close(path)
  return text
}

# The first line of a file.
function first(path,   line) {
  line = ""
  if ((getline line < path) <= 0) line = ""
  close(path)
  return line
}

# The first word of a file.
function word(path,   parts) { return split(first(path), parts, " ") > 0 ? parts[1] : "" }

# The word behind a label that begins a line of 'whole'; "-" if there is none. 'whole' begins with a line end.
function behind(label,   place, parts) {
  place = index(whole, "\\n" label)
  if (!place) return "-"
  return split(substr(whole, place + length(label) + 1, 40), parts) ? parts[1] : "-"
}

function clean(name) {
  # One name for all threads of a kind: kworker/3:1H-kblockd.
  sub(/^kworker.*/, "kworker", name)
  gsub(/[^A-Za-z0-9_.:@+-]/, "_", name)
  return name
}

function whole_number(number) { return sprintf("%.0f", number) }

# --- The host as a whole ---------------------------------------------------------------------------------------------------------

function read_stat(   place, rest, end) {
  whole = slurp(proc "/stat")
  place = index(whole, "\\nintr ")
  block = block substr(whole, 2, (place ? place : length(whole)) - 1) (place ? "" : "\\n")
  if (!place) return
  rest = substr(whole, place + 1, 40)
  # The total; what follows is one number for each interrupt line, thousands on a large host.
  if (match(rest, /^intr [0-9]+/)) block = block substr(rest, 1, RLENGTH) "\\n"
  place = index(whole, "\\nctxt ")
  rest = substr(whole, place + 1, 200)
  end = index(rest, "\\nsoftirq ")
  block = block (end ? substr(rest, 1, end) : rest "\\n")
}

function read_memory() {
  whole = slurp(proc "/meminfo")
  block = block "m " behind("MemTotal:") " " behind("MemFree:") " " behind("MemAvailable:") " " behind("Buffers:") " " \\
    behind("Cached:") " " behind("Dirty:") " " behind("Writeback:") " " behind("AnonPages:") " " behind("Slab:") " " \\
    behind("SwapTotal:") " " behind("SwapFree:") " " behind("HugePages_Total:") " " behind("HugePages_Free:") " " \\
    behind("AnonHugePages:") "\\n"
  whole = slurp(proc "/vmstat")
  if (whole != "")
    block = block "v " behind("pgpgin ") " " behind("pgpgout ") " " behind("pswpin ") " " behind("pswpout ") " " \\
      behind("pgmajfault ") "\\n"
}

function read_pressure(   kind, place, some, full) {
  for (kind in pressures) {
    whole = slurp(proc "/pressure/" kind)
    if (whole == "") { if (facts) delete pressures[kind]; continue }
    place = index(whole, "total=")
    some = substr(whole, place + 6, 30)
    sub(/[^0-9].*/, "", some)
    full = "-"
    place = index(whole, "\\nfull ")
    if (place) {
      full = substr(whole, place + 6)
      full = substr(full, index(full, "total=") + 6, 30)
      sub(/[^0-9].*/, "", full)
    }
    block = block "P " kind " " some " " full "\\n"
  }
}

function read_disks(   lines, count, i, parts, name) {
  count = split(slurp(proc "/diskstats"), lines, "\\n")
  for (i = 1; i <= count; i++) {
    if (split(lines[i], parts, " ") < 14) continue
    name = parts[3]
    if (known_disks && !(name in disks)) continue
    if (!known_disks && name ~ /^([shv]d[a-z]+[0-9]+|(nvme|mmcblk).*p[0-9]+)$/) continue
    if (parts[4] + parts[8] == 0 && name ~ /^(loop|ram|zram|sr|fd|nbd|rbd|md)/) continue
    block = block "d " name " " parts[4] " " parts[6] " " parts[7] " " parts[8] " " parts[10] " " parts[11] " " parts[12] " " \\
      parts[13] " " parts[14] (parts[19] != "" ? " " parts[19] " " parts[20] : "") "\\n"
  }
}

# Not those that are down. One that was shown once stays: its cable may have been pulled on purpose.
function is_up(name,   flags) {
  if (word(sys "/class/net/" name "/operstate") == "down") return 0
  flags = word(sys "/class/net/" name "/flags")
  return flags !~ /[02468aceACE]$/
}

function read_nets(   lines, count, i, parts, name, place, speed) {
  count = split(slurp(proc "/net/dev"), lines, "\\n")
  for (i = 4; i <= count; i++) {
    place = index(lines[i], ":")
    if (!place) continue
    name = substr(lines[i], 1, place - 1)
    gsub(/^ +| +$/, "", name)
    if (!(name in nets) && scanned) if (is_up(name)) nets[name] = 1
    if (!(name in nets)) continue
    if (split(substr(lines[i], place + 1), parts, " ") < 16) continue
    block = block "n " name " " parts[1] " " parts[2] " " parts[3] " " parts[4] " " parts[9] " " parts[10] " " parts[11] " " parts[12] "\\n"
    if (facts) {
      # Unknown is -1, or an error, also for a link that is down.
      speed = word(sys "/class/net/" name "/speed")
      if (speed ~ /^[0-9]+$/ && speed + 0 > 0) block = block "s " name " " speed "\\n"
    }
  }
}

function read_tcp(   place, names, values, count, i, lost, open) {
  whole = slurp(proc "/net/snmp")
  place = index(whole, "\\nTcp: ")
  if (!place) return
  whole = substr(whole, place + 1, 1000)
  place = index(whole, "\\n")
  count = split(substr(whole, 1, place - 1), names, " ")
  split(substr(whole, place + 1, index(substr(whole, place + 1), "\\n") - 1), values, " ")
  lost = open = "-"
  for (i = 2; i <= count; i++) {
    if (names[i] == "RetransSegs") lost = values[i]
    else if (names[i] == "CurrEstab") open = values[i]
  }
  block = block "t " lost " " open "\\n"
}

# Of at most sixteen cores: each file that is read asks its core.
function read_frequency(   step, core, value, count, sum, least) {
  if (no_frequency) return
  step = cores > 16 ? cores / 16 : 1
  for (core = 0; core < cores; core += step) {
    value = word(sys "/devices/system/cpu/cpu" int(core) "/cpufreq/scaling_cur_freq")
    if (value !~ /^[0-9]+$/) continue
    count++
    sum += value
    if (count == 1 || value + 0 < least) least = value + 0
  }
  if (count) block = block "q " whole_number(sum / count) " " whole_number(least) "\\n"
  else no_frequency = 1
}

# Sensors of processors only: some others ask the firmware, which takes milliseconds.
function find_sensors(   path, kind, i) {
  for (path in zones) {
    if (path ~ /hwmon[0-9]*$/) {
      kind = word(path "/name")
      if (kind ~ /^(coretemp|k10temp|zenpower|cpu)/) sensors[path "/temp1_input"] = 1
    } else {
      kind = word(path "/type")
      if (kind ~ /^(x86_pkg_temp|cpu|soc)/) sensors[path "/temp"] = 1
    }
  }
}

function read_temperature(   path, value) {
  if (scanned) {
    hottest = ""
    for (path in sensors) {
      value = word(path)
      if (value ~ /^[0-9]+$/ && (hottest == "" || value + 0 > hottest + 0)) hottest = value
    }
  }
  if (hottest != "") block = block "h " hottest "\\n"
}

# --- Processes -------------------------------------------------------------------------------------------------------------------

# Reads a process into p_*; 0 if there is none. Its name may hold blanks and parentheses: only what follows the last one has fixed places.
function look(pid,   text, parts, open) {
  text = first(proc "/" pid "/stat")
  # A line end in its name.
  if (text != "" && text !~ /\\) [A-Za-z] /) text = substr(slurp(proc "/" pid "/stat"), 2)
  if (!match(text, /^[0-9]+ \\(.*\\) /)) return 0
  open = index(text, "(")
  p_name = substr(text, open + 1, RLENGTH - open - 2)
  # What Node.js calls itself.
  if (p_name == "MainThread") p_name = "node"
  if (split(substr(text, RLENGTH + 1), parts, " ") < 22) return 0
  p_parent = parts[2]
  # With those of its children that have ended and been waited for: what a connection's process took is not lost.
  p_user = parts[12] + parts[14]
  p_system = parts[13] + parts[15]
  p_threads = parts[18]
  p_start = parts[20]
  p_rss = parts[22] * page / 1024
  return 1
}

# Takes what look() has read of a process that is followed: 1 user, 2 system, 3 read, 4 written, 5 and 6 switches.
function take(pid,   open) {
  parent[pid] = p_parent
  threads[pid] = p_threads
  rss[pid] = p_rss
  value[pid, 1] = p_user
  value[pid, 2] = p_system
  if (!(pid in no_io)) {
    whole = slurp(proc "/" pid "/io")
    # Only its owner and root may read it.
    if (whole == "") no_io[pid] = 1
    else {
      value[pid, 3] = behind("read_bytes:")
      value[pid, 4] = behind("write_bytes:")
    }
  }
  # The kernel tells switches by thread only.
  if (p_threads == 1 && members[group[pid]] <= 16) {
    whole = slurp(proc "/" pid "/status")
    value[pid, 5] = behind("voluntary_ctxt_switches:")
    value[pid, 6] = behind("nonvoluntary_ctxt_switches:")
  }
}

# Begins to follow what look() has read. The past of a process that is found late is not taken for what it did this second.
function follow(pid, name,   k, parts) {
  group[pid] = name
  start[pid] = p_start
  members[name]++
  take(pid)
  late = shown[name] && uptime - p_start / hz >= 2
  for (k = 1; k <= 6; k++) before[pid, k] = late ? value[pid, k] + 0 : 0
  shared[pid] = split(first(proc "/" pid "/statm"), parts, " ") >= 3 ? parts[3] * page / 1024 : 0
}

# Forgets a process. What it did stays in the sum, or comes back in the sum of its parent, which has waited for it.
function forget(pid,   name, k, inherited) {
  name = group[pid]
  inherited = (parent[pid] in group) && group[parent[pid]] == name
  for (k = 1; k <= 6; k++) {
    if (inherited && k <= 4) ended[name, k] -= before[pid, k]
    else ended[name, k] += value[pid, k] - before[pid, k]
    delete value[pid, k]
    delete before[pid, k]
  }
  delete group[pid]; delete start[pid]; delete parent[pid]; delete threads[pid]; delete rss[pid]; delete shared[pid]; delete no_io[pid]
  if (--members[name] > 0) return
  # The next one of this name begins again.
  for (k = 1; k <= 6; k++) delete ended[name, k]
  delete shown[name]
  delete members[name]
}

# A number may belong to a thread: it then shows its whole process.
function is_leader(pid) {
  whole = slurp(proc "/" pid "/status")
  return behind("Tgid:") == pid
}

function consider(pid) {
  if (pid in group || !(p_name in wanted) || !is_leader(pid)) return
  follow(pid, wanted[p_name])
}

# New ones, by the newest number that was given out; and shells, which become something else under their number.
function find_new(   parts, pid, name, missing) {
  if (split(first(proc "/loadavg"), parts, " ") < 5) return
  block = block "l " parts[1] "\\n"
  if (newest && parts[5] > newest) for (pid = newest + 1; pid <= parts[5] && pid <= newest + 64; pid++) maybe[pid] = 3
  newest = parts[5] + 0
  for (name in wanted) if (!(wanted[name] in members)) missing = 1
  if (missing) for (pid in shells) if (!(pid in maybe)) maybe[pid] = 0
  for (pid in maybe) {
    if (!look(pid)) { delete maybe[pid]; continue }
    consider(pid)
    if (--maybe[pid] < 0 || pid in group) delete maybe[pid]
  }
}

# Every process of the host, now and then: those wanted, and whatever else takes CPU.
function find_all(   pid, name, used, usage, users, span) {
  for (pid in shells) delete shells[pid]
  span = uptime - last_scan
  shell_count = 0
  for (pid in listed) {
    if (pid == reader || pid == pacer || !look(pid)) continue
    consider(pid)
    if (p_name ~ /^(sh|bash|dash|ash|busybox|env|taskset|sudo)$/ && shell_count++ < 32) shells[pid] = 1
    if (pid in group && group[pid] in is_wanted) continue
    used = p_user + p_system - ((pid in used_before) && born[pid] == p_start ? used_before[pid] : 0)
    used_before[pid] = p_user + p_system
    born[pid] = p_start
    if (used > 0 && last_scan) {
      name = clean(p_name)
      usage[name] += used
      users[name] = users[name] " " pid
    }
  }
  for (pid in used_before) if (!(pid in listed)) { delete used_before[pid]; delete born[pid] }
  for (pid in group) {
    if (pid in listed) shared_of(pid)
  }
  if (last_scan) follow_strangers(usage, users, span * hz)
  last_scan = uptime
}

function shared_of(pid,   parts) {
  if (split(first(proc "/" pid "/statm"), parts, " ") >= 3) shared[pid] = parts[3] * page / 1024
}

# At most five others, from 2 % of a core on, until they were quiet for three scans.
function follow_strangers(usage, users, ticks,   name, best, pid, i, count, pids) {
  for (name in strangers) {
    if (!(name in members) || (usage[name] < 0.005 * ticks && ++strangers[name] >= 3)) {
      for (pid in group) if (group[pid] == name) gone[pid] = 1
      for (pid in gone) { forget(pid); delete gone[pid] }
      delete strangers[name]
      continue
    }
    if (usage[name] >= 0.005 * ticks) strangers[name] = 0
    stranger_count++
  }
  while (stranger_count < 5) {
    best = ""
    for (name in usage)
      if (usage[name] >= 0.02 * ticks && !(name in strangers) && !(name in is_wanted) && (best == "" || usage[name] > usage[best])) best = name
    if (best == "") break
    strangers[best] = 0
    stranger_count++
  }
  stranger_count = 0
  for (name in strangers) {
    count = split(users[name], pids, " ")
    for (i = 1; i <= count && members[name] < 8; i++)
      if (!(pids[i] in group) && look(pids[i])) follow(pids[i], name)
    # Asking for the members of a name that has none makes an entry.
    if (members[name] + 0 == 0) delete members[name]
  }
}

function add_up(pid, name,   k, parts) {
  for (k = 1; k <= 6; k++) sum[name, k] += value[pid, k] - before[pid, k]
  sum_threads[name] += threads[pid]
  sum_rss[name] += rss[pid] - (members[name] > 1 ? shared[pid] : 0)
  if (members[name] > 1 && shared[pid] > most_shared[name]) most_shared[name] = shared[pid]
  if (pid in no_io) hidden_io[name] = 1
  if (threads[pid] != 1) several[name] = 1
}

function read_processes(   pid, name, count, slice, i) {
  for (pid in group) count++
  # Of very many a part each second, so that an idle thousand costs no more than a few.
  slice = int((count + 127) / 128)
  for (pid in group) {
    if (slice > 1 && ++i % slice != looks % slice) continue
    if (!look(pid) || p_start != start[pid]) gone[pid] = 1
    else take(pid)
  }
  for (pid in gone) { forget(pid); delete gone[pid] }
  for (pid in group) add_up(pid, group[pid])
  for (name in members) {
    block = block "x " name " " total(name, 1) " " total(name, 2) " " whole_number(sum_rss[name] + most_shared[name]) " " sum_threads[name] " " \\
      (name in hidden_io ? "- -" : total(name, 3) " " total(name, 4)) " " \\
      (name in several || members[name] > 16 ? "- -" : total(name, 5) " " total(name, 6)) "\\n"
    shown[name] = 1
    delete sum_rss[name]; delete sum_threads[name]; delete most_shared[name]; delete hidden_io[name]; delete several[name]
  }
}

function total(name, k,   result) {
  result = sum[name, k] + ended[name, k]
  delete sum[name, k]
  return whole_number(result > 0 ? result : 0)
}

function read_own_cost(   ticks) {
  if (!look("self")) return
  ticks = p_user + p_system
  if (pacer != "-" && look(pacer)) ticks += p_user + p_system
  block = block "c " ticks "\\n"
}

# --- One look --------------------------------------------------------------------------------------------------------------------

function look_around() {
  uptime = word(proc "/uptime")
  if (uptime == "" || uptime - last_look < 0.5) return
  last_look = uptime
  facts = looks % 60 == 0
  block = "@ " sprintf("%.2f", clock + uptime) "\\n"
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
  read_own_cost()
  # Its own length is the proof that nothing of it is missing.
  print block ". " length(block)
  fflush()
  looks++
  scanned = 0
}

function take_list(letter, rest,   words, count, i) {
  count = split(rest, words, " ")
  for (i = 1; i <= count; i++) {
    if (letter == "p") listed[words[i]] = 1
    else if (letter == "t") zones[words[i]] = 1
    else if (words[i] !~ /\\*$/) {
      # In sysfs a slash of a name is written as an exclamation mark.
      sub(/.*\\//, "", words[i])
      gsub(/!/, "/", words[i])
      disks[words[i]] = known_disks = 1
    }
  }
}

function begin_list(letter,   each) {
  if (letter == "p") for (each in listed) delete listed[each]
  if (letter == "b") { known_disks = 0; for (each in disks) delete disks[each] }
}

BEGIN {
  proc = ARGV[1]
  sys = ARGV[2]
  # The kernel keeps fifteen letters of a name.
  for (i = 3; i < ARGC; i++) { wanted[substr(ARGV[i], 1, 15)] = clean(ARGV[i]); is_wanted[clean(ARGV[i])] = 1 }
  ARGC = 1
  pressures["cpu"] = pressures["memory"] = pressures["io"] = 1
  for (;;) {
    if ((getline line) <= 0) break
    letter = substr(line, 1, 1)
    if (letter == ".") look_around()
    else if (letter == "=") {
      split(line, told, " ")
      clock = told[2] / 100; hz = told[3]; page = told[4]; pacer = told[5]
      reader = word(proc "/self/stat")
    }
    else if (substr(line, 2, 1) == "(") begin_list(letter)
    else if (substr(line, 2, 1) != ")") take_list(letter, substr(line, 2))
    else if (letter == "p") scanned = 1
    else if (letter == "t") find_sensors()
  }
}
`;
