import { readModule } from '../check/modules.ts';
import { isTest, targetOf } from '../check/project.ts';
import { root } from '../lib/terminal.ts';

const BED = 'e2e/testbed/';

/** Texts of tests and of the helpers that they load. The testbed itself names everything it has, and is excluded. */
export function textsOf(files: readonly string[]): string[] {
  const reached = new Set(files);
  const texts: string[] = [];
  for (const file of reached) {
    const { mentions, text } = readModule(root, file);
    texts.push(`${file}\n${text}`);
    for (const { specifier } of mentions) {
      const target = targetOf(file, specifier);
      if (target && /\.tsx?$/.test(target) && !target.startsWith(BED) && (isTest(target) || target.startsWith('e2e/')))
        reached.add(target);
    }
  }
  return texts;
}
