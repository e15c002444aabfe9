import { z } from 'zod';
import { factorKindInfo, KINDS } from '../../src/main/engine/factors/index.ts';
import { MeasureForm } from '../../src/shared/model/experiment.ts';
import type { FactorKindInfo } from '../../src/shared/model/factor.ts';
import { PLAN_WORDS } from './factors-plan.ts';
import { type Property, preset, table, takes } from './page-words.ts';

export const FACTORS_PAGE = 'docs/factors.md';

const HEAD = `# Factors

Everything that an experiment can vary, and the order of its trials. \`npm run format\` generates this page from the code, and
\`npm run check\` fails if it is out of date. \`kneepoint factors [KIND]\` prints the same. How changes are made, verified and undone: [changes.md](changes.md). Settings of servers in detail: [settings.md](settings.md).

A document lists its factors; every combination of their levels is a cell, unless a condition excludes it.
`;

/** The text of docs/factors.md. */
export function factorsPage(): string {
  const kinds = KINDS.map(factorKindInfo);
  return [
    HEAD,
    table(['kind', 'varies', 'changes'], kinds.map(summaryRow)),
    ...KINDS.map(section),
    PLAN_WORDS,
    '## All settings of the measurement\n',
    table(['setting', 'takes', 'default', 'what it does'], measureRows()),
  ].join('\n');
}

const CHANGES: Readonly<Record<FactorKindInfo['changes'], string>> = {
  nothing: 'nothing outside of the tool',
  server: 'the server',
  host: 'a host',
};

const anchor = (title: string): string => title.toLowerCase().replaceAll(' ', '-');

const summaryRow = ({ kind, title, description, changes }: FactorKindInfo): string[] => [
  `[\`${kind}\`](#${anchor(title)})`,
  description,
  CHANGES[changes],
];

function section(kindOf: (typeof KINDS)[number]): string {
  const { kind, title, description, schema, level, takes: taken, undone, example } = factorKindInfo(kindOf);
  const { plainLevels } = kindOf;
  const fields = rowsOf(schema);
  const levels = level ? rowsOf(level) : [];
  return [
    `## ${title}\n`,
    `\`kind: ${kind}\`. ${description}\n`,
    ...(fields.length > 0 ? [table(['field', 'takes', 'default', 'meaning'], fields)] : []),
    ...choicesOf(schema),
    ...(levels.length > 0
      ? [
          `A level ${plainLevels ? 'is a plain value, or ' : ''}has a name, and\n`,
          table(['field', 'takes', 'default', 'meaning'], levels),
        ]
      : ['A level is a plain value.\n']),
    `- **A change takes**: ${taken}`,
    `- **Verified and undone**: ${undone}\n`,
    `\`\`\`yaml\nfactors:\n  - ${example.replaceAll('\n', '\n    ')}\n\`\`\`\n`,
  ].join('\n');
}

function rowsOf({ properties = {} }: Readonly<Record<string, unknown>>): string[][] {
  return Object.entries(properties as Record<string, Property>).map(([name, property]) => [
    `\`${name}\``,
    shapeOf(property),
    property.default === undefined ? (property.unset ?? '') : preset(property.default),
    `**${property.title ?? name}.** ${property.description ?? ''}`,
  ]);
}

/** Values behind the names that a field accepts. */
function choicesOf({ properties = {} }: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(properties as Record<string, { choices?: Readonly<Record<string, string>> }>).flatMap(
    ([name, { choices }]) =>
      choices
        ? [
            table(
              [name, 'what it is'],
              Object.entries(choices).map(([choice, words]) => [`\`${choice}\``, words]),
            ),
          ]
        : [],
  );
}

/** Fields of factors may have more than one value. */
function shapeOf(property: Property): string {
  if (property.type === 'array') return 'a list';
  if (property.type === 'object') return 'name: value';
  if ('anyOf' in property) return 'see there';
  return takes(property);
}

function measureRows(): string[][] {
  const { properties } = z.toJSONSchema(MeasureForm, { io: 'input' });
  return rowsOf({
    properties: Object.fromEntries(Object.entries(properties ?? {}).filter(([name]) => name !== 'data')),
  });
}
