import { describe, expect, it } from 'vitest';
import { checkIdentifiers, checkLinks, checkWords } from './docs.ts';
import { parseModule } from './modules.ts';
import { checkTexts, textsOf } from './texts.ts';

const PAGES = new Map([
  ['docs/a.md', '# A page\n\n[b](b/c.md#where-is-it-n) [here](#a-page) [web](https://example.org/x.md)\n'],
  ['docs/b/c.md', '## Where is it (N)?\n\n[up](../a.md)\n'],
]);
const exists = (file: string): boolean => PAGES.has(file) || ['docs/x.md', 'src/main.ts'].includes(file);
const broken = (text: string) => checkLinks(new Map([...PAGES, ['docs/x.md', text]]), [], exists);

describe('links of pages', () => {
  it('accepts files, headings, addresses and code that exist', () => {
    expect(broken('`src/main.ts`, `src/main/*/x.ts`\n\n```md\n[gone](gone.md)\n```\n')).toEqual([]);
  });

  it.each([
    ['a missing file', '\n[x](gone.md)', 'links to docs/gone.md, which does not exist'],
    ['a missing heading', '\n[x](b/c.md#gone)', 'links to a heading #gone that docs/b/c.md does not have'],
    ['a missing heading of its own', '\n[x](#gone)', 'links to a heading #gone that docs/x.md does not have'],
    ['a missing path in backticks', '\n`src/gone.ts`', 'mentions src/gone.ts, which does not exist'],
  ])('names %s with its line', (_, text, words) => {
    expect(broken(text)).toEqual([{ file: 'docs/x.md', line: 2, text: words }]);
  });

  it('names a comment that mentions a missing page', () => {
    const modules = [{ file: 'src/main.ts', text: ['a', 'gone'].map((name) => `// \`docs/${name}.md\``).join('\n') }];
    expect(checkLinks(PAGES, modules, exists)).toMatchObject([{ file: 'src/main.ts', line: 2 }]);
  });
});

describe('words of comments', () => {
  const check = (text: string, stored: number) =>
    checkWords([{ text }], [{ word: 'tell', pattern: /(?<!cannot )\btells?\b/i, instead: 'returns', stored }]);
  const text = [
    '/** Tells the host. */',
    '/**',
    ' * It tells, and tells again.',
    ' */',
    "const a = 'tells'; // tells why",
    '// It cannot tell.',
  ].join('\n');

  it('counts comment lines, not code', () => {
    expect(check(text, 3)).toEqual({ rises: [], falls: [] });
  });

  it('complains about more than the stored number, with a replacement', () => {
    const { rises, falls } = check(text, 2);
    expect(rises).toHaveLength(1);
    expect(rises[0]?.text).toContain('tell: 3 comment lines, 2 stored. Write returns');
    expect(falls).toEqual([]);
  });

  it('asks for a lower number if there are fewer', () => {
    const { rises, falls } = check(text, 4);
    expect(rises).toEqual([]);
    expect(falls).toEqual(['tell: 3 comment lines, 4 stored. Lower the stored number in scripts/check/docs.ts.']);
  });
});

describe('words of names', () => {
  const check = (text: string, stored: number) =>
    checkIdentifiers(
      [parseModule('src/a.ts', text)],
      [{ word: 'tell', pattern: /\btold\b/, instead: 'reported', stored }],
    );

  it('counts names that contain a word, each once per module, without comments and texts', () => {
    const text = "// told\nconst toldBy = 'told';\nclass A { #told = toldBy; untolded = LAST_TOLD; }";
    expect(check(text, 3)).toEqual({ rises: [], falls: [] });
    expect(check(text, 2).rises[0]?.text).toContain('tell: 3 names, 2 stored. Write reported');
    expect(check(text, 4).falls).toEqual([
      'tell: 3 names, 4 stored. Lower the stored number in scripts/check/docs.ts.',
    ]);
  });
});

describe('texts on screens', () => {
  const texts = (text: string, file = 'src/renderer/a.tsx') => textsOf({ file, text }).map((each) => each.text);

  it('include those of elements, attributes, members and templates, with their placeholders', () => {
    expect(
      texts(
        [
          'const a = <p className="one two three">Left <b>{n}</b> of {all}</p>;',
          'const b = <Input label="Port" placeholder="db1" />;',
          'const c = { title: "Hosts", key: "one-two" };',
          `const d = \`\${name} cannot be reached: \${count === 1 ? 'no such host' : 'x'}.\`;`,
        ].join('\n'),
      ),
    ).toEqual([
      'Left <b> of {all}',
      'Port',
      'db1',
      'Hosts',
      "{name} cannot be reached: {count === 1 ? 'no such host' : 'x'}.",
      'no such host',
    ]);
  });

  it('exclude statements, scripts, comparisons and types', () => {
    expect(
      texts(
        "import x from 'one two'; type A = 'one two'; run('SELECT one FROM two'); const y = a === 'one two' ? `cat $(one two)` : 1;",
      ),
    ).toEqual([]);
  });

  it('are counted by avoided words', () => {
    const avoided = [{ word: 'told', pattern: /\btold\b/, instead: 'shown', stored: 0 }];
    const { rises } = checkTexts(textsOf({ file: 'src/a.ts', text: "const a = 'It was told by db1.';" }), avoided);
    expect(rises[0]?.text).toContain('told: 1 texts on screens, 0 stored. Write shown');
  });
});
