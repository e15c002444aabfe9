/** Reading files, and what concerns the host as a whole. Adds to `block`; `facts`: also what changes seldom; `scanned`: ten seconds are over. */
export const READ_HOST = `
# The file as one text that begins with a line end, "" if it cannot be read; only to the line that begins with 'last', if given.
function slurp(path, last,   text, line, size) {
  text = ""
  size = length(last)
  while ((getline line < path) > 0) {
    text = text "\\n" line
    if (size && substr(line, 1, size) == last) break
  }
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
  whole = slurp(proc "/meminfo", "HugePages_Free:")
  block = block "m " behind("MemTotal:") " " behind("MemFree:") " " behind("MemAvailable:") " " behind("Buffers:") " " \\
    behind("Cached:") " " behind("Dirty:") " " behind("Writeback:") " " behind("AnonPages:") " " behind("Slab:") " " \\
    behind("SwapTotal:") " " behind("SwapFree:") " " behind("HugePages_Total:") " " behind("HugePages_Free:") " " \\
    behind("AnonHugePages:") "\\n"
  whole = slurp(proc "/vmstat", "pgmajfault ")
  if (whole != "")
    block = block "v " behind("pgpgin ") " " behind("pgpgout ") " " behind("pswpin ") " " behind("pswpout ") " " \\
      behind("pgmajfault ") " " refaults() "\\n"
}

# Pages that are needed again after they were dropped: of files alone, which kernels before 5.9 did not tell from others.
function refaults(   of_files) {
  of_files = behind("workingset_refault_file ")
  return of_files == "-" ? behind("workingset_refault ") : of_files
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

# Not those that are down. One that was shown once stays: its cable may have been pulled on purpose. Of a host with hundreds of containers,
# each with an interface, the real ones and the first of the others.
function is_up(name,   flags) {
  if (net_count >= 32 && first(sys "/class/net/" name "/device/uevent") == "") return 0
  if (word(sys "/class/net/" name "/operstate") == "down") return 0
  flags = word(sys "/class/net/" name "/flags")
  return flags !~ /[02468aceACE]$/
}

function read_nets(   lines, count, i, parts, name, place) {
  count = split(slurp(proc "/net/dev"), lines, "\\n")
  for (i = 4; i <= count; i++) {
    place = index(lines[i], ":")
    if (!place) continue
    name = substr(lines[i], 1, place - 1)
    gsub(/^ +| +$/, "", name)
    if (!(name in nets) && scanned) if (is_up(name)) { nets[name] = 1; net_count++ }
    if (!(name in nets)) continue
    if (split(substr(lines[i], place + 1), parts, " ") < 16) continue
    block = block "n " name " " parts[1] " " parts[2] " " parts[3] " " parts[4] " " parts[9] " " parts[10] " " parts[11] " " parts[12] "\\n"
    if (facts && name in speeds) block = block "s " name " " speeds[name] "\\n"
    if (facts && name in elsewhere) block = block "a " name " 1\\n"
  }
}

function read_tcp(   place, names, values, count, i, lost, open) {
  whole = slurp(proc "/net/snmp")
  place = index(whole, "\\nTcp: ")
  if (!place) return
  whole = substr(whole, place + 1, 1000) "\\n"
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
`;
