import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { readProject } from './check/project.ts';
import { readTexts, type Text } from './check/texts.ts';
import { root } from './lib/terminal.ts';

// `npm run words`: every text that users can read, by room and with its place, as one Markdown page.
const texts = [...readTexts(readProject(root).values()), ...ofTemplates()];
const rooms = Map.groupBy(texts, ({ file }) => path.posix.dirname(file));
process.stdout.write(`# ${texts.length} texts\n`);
for (const [room, own] of rooms) {
  process.stdout.write(`\n## ${room} (${own.length})\n\n`);
  for (const { file, line, text } of own) process.stdout.write(`- \`${path.posix.basename(file)}:${line}\` ${text}\n`);
}

/** Names, questions and descriptions of the templates. */
function ofTemplates(): Text[] {
  const names = readdirSync(path.join(root, 'workloads'), { recursive: true, encoding: 'utf8' });
  const files = names.filter((name) => name.endsWith('.yaml')).map((name) => path.posix.join('workloads', name));
  return files.flatMap((file) =>
    readFileSync(path.join(root, file), 'utf8')
      .split('\n')
      .flatMap((line, index): Text[] => {
        const [, text] = /^\s*(?:- )?(?:name|title|question|description): (.*\S)/.exec(line) ?? [];
        return text ? [{ file, line: index + 1, text }] : [];
      }),
  );
}
