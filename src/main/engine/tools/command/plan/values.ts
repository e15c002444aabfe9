import { KneepointError } from '../../../../../shared/model/problem.ts';

/** What a script gets: the text, and the variables that stand for values which a shell would not take as they are. */
export interface FilledScript {
  text: string;
  variables: Record<string, string>;
}

/** These mean nothing to a shell, wherever they stand. */
const PLAIN = /^[\w@%+=:,./-]*$/;
const PLACEHOLDER = /\{([a-z]+(?:-[a-z]+)*|(?:share|start) of \w+)\}/y;
/** Part of a number: its place in a script is as free as that of any value. */
export const SHARE_OF = /(?<![$\\])\{(share|start) of (\w+)\}/g;

/** Whether a value is put into the script. */
export const asksFor = (script: string, name: string): boolean => new RegExp(`(?<![$\\\\])\\{${name}\\}`).test(script);

type Quotes = 'none' | 'single' | 'double' | 'comment';

/** What quotes a POSIX shell is in behind this character. */
function quotesBehind(quotes: Quotes, character: string, before: string): Quotes {
  if (quotes === 'comment') return character === '\n' ? 'none' : 'comment';
  if (character === "'" && quotes !== 'double') return quotes === 'single' ? 'none' : 'single';
  if (character === '"' && quotes !== 'single') return quotes === 'double' ? 'none' : 'double';
  return character === '#' && quotes === 'none' && /^[\s;]?$/.test(before) ? 'comment' : quotes;
}

/**
 * Puts values where `{name}` stands in a shell script. A value that a shell could read as more than a word becomes a variable, so that
 * it stays one word; `raw` values are parts of the script itself. `${name}` and braces of other names are the script's own.
 * Throws `experiment-invalid` for a value that nobody knows, and for one that single quotes would keep from being put in.
 */
export function fillScript(
  script: string,
  values: Readonly<Record<string, string | undefined>>,
  raw: Readonly<Record<string, string>>,
): FilledScript {
  const variables: Record<string, string> = {};
  let text = '';
  let quotes: Quotes = 'none';
  for (let at = 0; at < script.length; ) {
    PLACEHOLDER.lastIndex = at;
    const name = script[at - 1] === '$' ? undefined : PLACEHOLDER.exec(script)?.[1];
    if (name !== undefined && Object.hasOwn(raw, name)) text += raw[name];
    else if (name !== undefined && Object.hasOwn(values, name)) text += filled(name, values[name], quotes, variables);
    else {
      const character = script[at] as string;
      const escaped = character === '\\' && quotes !== 'single' && quotes !== 'comment';
      text += escaped ? script.slice(at, at + 2) : character;
      if (!escaped) quotes = quotesBehind(quotes, character, script[at - 1] ?? '');
      at += escaped ? 2 : 1;
      continue;
    }
    at = PLACEHOLDER.lastIndex;
  }
  return { text, variables };
}

function filled(name: string, value: string | undefined, quotes: Quotes, variables: Record<string, string>): string {
  if (value === undefined)
    throw new KneepointError({
      code: 'experiment-invalid',
      message: `The command asks for {${name}}, which this target does not have.`,
      safe: 'Nothing was started.',
      next: 'Remove it from the command, or choose a target that has one.',
    });
  if (PLAIN.test(value) || quotes === 'comment') return value;
  if (quotes === 'single')
    throw new KneepointError({
      code: 'experiment-invalid',
      message: `{${name}} is in single quotes, but its value “${value}” must be quoted itself.`,
      safe: 'Nothing was started.',
      next: 'Use double quotes there.',
    });
  const variable = `kneepoint_${name.replaceAll('-', '_')}`;
  variables[variable] = value;
  return quotes === 'double' ? `\${${variable}}` : `"\${${variable}}"`;
}
