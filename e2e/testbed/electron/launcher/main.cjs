// What Electron's own start-up program does: `electron [flags] <folder or file> [arguments]`.
const fs = require('node:fs');
const path = require('node:path');
const { app } = require('electron');

const given = process.argv.slice(1);
if (given.includes('--version')) {
  process.stdout.write(`v${process.versions.electron}\n`);
  process.exit(0);
}
// `-r module` loads something first: that is how a test gets its hand on the app before it is ready.
const modules = [];
for (let at = given.indexOf('-r'); at >= 0; at = given.indexOf('-r')) modules.push(given.splice(at, 2)[1]);
const at = given.findIndex((argument) => !argument.startsWith('-'));
if (at < 0) {
  process.stderr.write('usage: electron [-r module] [flags] <folder or file> [arguments]\n');
  process.exit(64);
}
for (const name of modules) require(path.resolve(name));
const wanted = path.resolve(given[at]);
const folder = fs.statSync(wanted).isDirectory() ? wanted : path.dirname(wanted);
const manifest = JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8'));
app.setName(manifest.productName || manifest.name);
app.setVersion(manifest.version);
app.setAppPath(folder);
process.argv.splice(1, process.argv.length, ...given.slice(0, at), wanted, ...given.slice(at + 1));
require(folder === wanted ? path.join(folder, manifest.main) : wanted);
