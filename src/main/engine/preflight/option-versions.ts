import type { Finding } from '../../../shared/model/finding.ts';
import type { OptionWords, VersionRange } from '../../../shared/model/tool.ts';
import { compareVersions } from '../../../shared/util/versions.ts';
import type { Tool } from '../tools/tool.ts';
import type { PreflightState } from './state.ts';

type Options = Readonly<Record<string, unknown>>;

/** An option in use, or a value of it, that some versions of the tool do not support. */
interface Asked {
  words: string;
  range: VersionRange;
}

/** Options of cells that the tool's version on a generator does not support: every trial would fail. */
export function optionVersionFindings({ steps, tool, generators }: PreflightState): Finding[] {
  const asked = new Map<string, Asked>();
  for (const { options } of steps) for (const each of askedOf(tool, options)) asked.set(each.words, each);
  return generators.flatMap(({ machine, facts }) => {
    const version = facts?.tools.find((entry) => entry.tool === tool.id)?.version;
    if (version === undefined) return [];
    return [...asked.values()].flatMap(({ words, range: { from, before } }): Finding[] => {
      if (from !== undefined && compareVersions(version, from) < 0)
        return [
          {
            code: 'option-not-in-version',
            severity: 'block',
            message: `${words} needs ${tool.title} ${from} or later, but ${machine.name} has ${version}.`,
            next: NEXT,
          },
        ];
      if (before !== undefined && compareVersions(version, before) >= 0)
        return [
          {
            code: 'option-not-in-every-build',
            severity: 'warn',
            message: `Not every build of ${tool.title} ${before} and later supports ${words}; ${machine.name} has ${version}. Without support, every trial fails.`,
            next: NEXT,
          },
        ];
      return [];
    });
  });
}

const NEXT = 'Choose another value, or install another version there.';

function askedOf(tool: Tool, options: Options): Asked[] {
  const words = new Map(
    Object.entries(tool.options.shape).map(([name, schema]) => [
      name,
      schema.meta() as Partial<OptionWords> | undefined,
    ]),
  );
  return [...words].flatMap(([name, own]) => {
    const value = options[name];
    if (!own?.versions || value === undefined || !applies(name, options, words)) return [];
    const { values, ...range } = own.versions;
    const ofValue = values?.[String(value)];
    return [{ words: `“${name}”`, range }, ...(ofValue ? [{ words: `“${name} = ${value}”`, range: ofValue }] : [])];
  });
}

/** An option that depends on another one is sent only while that one has a matching value. */
function applies(
  name: string,
  options: Options,
  words: ReadonlyMap<string, Partial<OptionWords> | undefined>,
): boolean {
  const when = words.get(name)?.when;
  if (!when) return true;
  return when.in.some((value) => value === options[when.option]) && applies(when.option, options, words);
}
