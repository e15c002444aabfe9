/** Reads files, and figures of the host as a whole. Adds to `block`; `facts`: also values that rarely change; `scanned`: ten seconds are over. */
export const READ_HOST = `
# The file as one text that begins with a line end, "" if it cannot be read. Where this awk reads by lines, only from the one that
# holds 'from' to the one that begins with 'last', if given. Most read a file as one record when nothing can end it, in half the time.
function slurp(path, from, last,   text, line, size) {
  text = ""
  size = length(last)
  RS = "\\001"
  while ((getline line < path) > 0) {
    if (from != "") { if (!index(line, from)) continue; from = "" }
    text = text ("\\n" line)
    if (size && substr(line, 1, size) == last) break
  }
  RS = "\\n"
  close(path)
  return text
}

# Awks that read by lines leave out the last end.
function ended(text) { return substr(text, length(text)) == "\\n" ? text : text "\\n" }

# The first line of a file, which becomes $0: its words are looked for only when they are asked for, and without an array.
function first(path,   got) {
  got = (getline < path) > 0
  close(path)
  if (!got) $0 = ""
  return got
}

# The first word of a file.
function word(path) { return first(path) ? $1 : "" }

# The word behind a label that begins a line of 'whole'; "-" if there is none. 'whole' begins with a line end.
function behind(label,   place, parts) {
  place = index(whole, "\\n" label)
  if (!place) return "-"
  return split(substr(whole, place + length(label) + 1, 32), parts, " ") ? parts[1] : "-"
}

function clean(name) {
  # One name for all threads of a kind: kworker/3:1H-kblockd.
  sub(/^kworker.*/, "kworker", name)
  gsub(/[^A-Za-z0-9_.:@+-]/, "_", name)
  return name
}

function whole_number(number) { return sprintf("%.0f", number) }

# --- The host as a whole ---------------------------------------------------------------------------------------------------------

function read_stat(   place, tail, parts, end) {
  whole = slurp(proc "/stat")
  place = index(whole, "\\nintr ")
  block = block ended(substr(whole, 2, (place ? place : length(whole)) - 1))
  if (!place) return
  # The total; what follows is one number for each interrupt line, thousands on a large host.
  if (split(substr(whole, place, 40), parts, " ") > 1) block = block "intr " parts[2] "\\n"
  tail = substr(whole, place + 1)
  tail = substr(tail, index(tail, "\\nctxt ") + 1, 200)
  end = index(tail, "\\nsoftirq ")
  block = block (end ? substr(tail, 1, end) : ended(tail))
}

function read_memory() {
  whole = slurp(proc "/meminfo", "", "HugePages_Free:")
  block = block "m " behind("MemTotal:") " " behind("MemFree:") " " behind("MemAvailable:") " " behind("Buffers:") " " \\
    behind("Cached:") " " behind("Dirty:") " " behind("Writeback:") " " behind("AnonPages:") " " behind("Slab:") " " \\
    behind("SwapTotal:") " " behind("SwapFree:") " " behind("HugePages_Total:") " " behind("HugePages_Free:") " " \\
    behind("AnonHugePages:") "\\n"
  whole = slurp(proc "/vmstat", "", "pgmajfault ")
  if (whole != "")
    block = block "v " behind("pgpgin ") " " behind("pgpgout ") " " behind("pswpin ") " " behind("pswpout ") " " \\
      behind("pgmajfault ") " " refaults() "\\n"
}

# Pages that are needed again after they were dropped: of files alone, which kernels before 5.9 did not tell from others.
function refaults(   of_files) {
  of_files = behind("workingset_refault_file ")
  return of_files == "-" ? behind("workingset_refault ") : of_files
}

function read_pressure(   kind, path, some, full) {
  for (kind in pressures) {
    path = proc "/pressure/" kind
    some = full = "-"
    if ((getline < path) > 0) {
      some = substr($5, 7)
      if ((getline < path) > 0) full = substr($5, 7)
    }
    close(path)
    if (some != "-") block = block "P " kind " " some " " full "\\n"
    else if (facts) delete pressures[kind]
  }
}

# The kernel writes the name at the fourteenth letter: partitions are told from disks without a look at their numbers.
function read_disks(   path, text, name) {
  path = proc "/diskstats"
  text = ""
  while ((getline < path) > 0) {
    name = substr($0, 14, index(substr($0, 14), " ") - 1)
    if (name == "" || substr($0, 12, 2) !~ /[0-9] /) name = $3
    if (known_disks && !(name in disks)) continue
    if (!known_disks && name ~ /^([shv]d[a-z]+[0-9]+|(nvme|mmcblk).*p[0-9]+)$/) continue
    if ($14 == "") continue
    if ($4 + $8 == 0 && name ~ /^(loop|ram|zram|sr|fd|nbd|rbd|md)/) continue
    text = text "d " name " " $4 " " $6 " " $7 " " $8 " " $10 " " $11 " " $12 " " $13 " " $14 ($19 != "" ? " " $19 " " $20 : "") "\\n"
  }
  close(path)
  block = block text
}

# Not those that are down. One that was shown once stays: its cable may have been pulled on purpose. Of a host with hundreds of containers,
# each with an interface, the real ones and the first of the others.
function is_up(name,   flags) {
  if (net_count >= 32 && !first(sys "/class/net/" name "/device/uevent")) return 0
  if (word(sys "/class/net/" name "/operstate") == "down") return 0
  flags = word(sys "/class/net/" name "/flags")
  return flags !~ /[02468aceACE]$/
}

function read_nets(   path, text, line, place, parts, name) {
  path = proc "/net/dev"
  text = ""
  while ((getline line < path) > 0) {
    # Not the two lines above them.
    place = index(line, ":")
    if (!place || split(substr(line, 1, place - 1), parts, " ") != 1) continue
    name = parts[1]
    if (!(name in nets) && scanned) if (is_up(name)) { nets[name] = 1; net_count++ }
    if (!(name in nets)) continue
    $0 = substr(line, place + 1)
    if ($16 == "") continue
    text = text "n " name " " $1 " " $2 " " $3 " " $4 " " $9 " " $10 " " $11 " " $12 "\\n"
    if (facts && name in speeds) text = text "s " name " " speeds[name] "\\n"
    if (facts && name in elsewhere) text = text "a " name " 1\\n"
  }
  close(path)
  block = block text
}

# A line of names, then one of their values.
function read_tcp(   path, i) {
  path = proc "/net/snmp"
  while ((getline < path) > 0) {
    if (substr($0, 1, 5) != "Tcp: ") continue
    if ($0 != tcp_names) {
      tcp_names = $0
      lost_at = open_at = 0
      for (i = 2; i <= NF; i++) {
        if ($i == "RetransSegs") lost_at = i
        else if ($i == "CurrEstab") open_at = i
      }
    }
    if ((getline < path) > 0) { established = open_at ? $open_at + 0 : 0; block = block "t " (lost_at ? $lost_at : "-") " " (open_at ? $open_at : "-") "\\n" }
    break
  }
  close(path)
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
`;
