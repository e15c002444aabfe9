import { z } from 'zod';
import { type Factor, levelName, Scalar } from '../../../../shared/model/factor.ts';
import type { DesiredSetting } from '../change.ts';
import { type Complain, defineFactor, levelNamed } from '../factor.ts';
import { checkOptionSet, optionSetKey, optionsVaried, plainOptionSet, withOptions } from '../option-sets.ts';
import { STATEMENTS, type Variant, VariantFields, variantsText } from './statements.ts';

const level = z.strictObject({
  options: z
    .record(z.string(), Scalar)
    .optional()
    .meta({ title: 'Options', description: 'Tool options that decide what is loaded: tables, rows, scale.' }),
  ...VariantFields.shape,
});
type Level = z.infer<typeof level>;

/** A factor whose levels are data of different size or schema. */
export const dataFactor = defineFactor({
  kind: 'data',
  title: 'Data',
  description:
    'Size, scale or schema of the data: levels set load options, or run statements that are undone later. Trials are grouped by level, so each level is prepared once.',
  changes: 'server',
  takes: 'With load options: preparing the data again. With statements: running them on the existing data.',
  undone:
    '`check` must find the change after the statements, and no longer after `undo`. The session ends with the data as first prepared.',
  fields: z.strictObject({}),
  level,
  example: `{name: triggers, kind: data, levels: [{name: none}, {name: audit, statements: ['CREATE TRIGGER t …'], undo: ['DROP TRIGGER IF EXISTS t'], check: 'SELECT COUNT(*) FROM …'}]}`,
  plainLevel: (wanted, _factor, plain) => plainOptionSet(wanted, plain),
  rules(factor, _fields, tool) {
    const sets = factor.levels.map((wanted) => levelOf(wanted).options ?? {});
    const variants = factor.levels.flatMap(variantOf);
    const what = `variant of ${factor.name}`;
    return {
      varies: [...optionsVaried(sets, tool), ...(variants.length > 0 ? [what] : [])],
      cost: sets.some((set) => Object.keys(set).length > 0) ? 'load' : 'live',
      levelKey(wanted) {
        const { options = {}, ...variant } = levelOf(wanted);
        return `${optionSetKey(options, tool)} ${JSON.stringify(variant)}`;
      },
      check(complain) {
        factor.levels.forEach((wanted, at) => {
          checkOptionSet(levelOf(wanted).options ?? {}, tool, ['levels', at, 'options'], complain);
          checkVariant(levelOf(wanted), ['levels', at], complain);
        });
      },
      apply(step, name) {
        const wanted = levelNamed(factor, name);
        if (wanted === undefined) return step;
        const workload = withOptions(step.workload, levelOf(wanted).options ?? {}, tool);
        if (variants.length === 0 || step.target === undefined) return { ...step, workload };
        const setting: DesiredSetting = {
          changer: STATEMENTS,
          place: { kind: 'server', name: step.target },
          what,
          value: variantOf(wanted).length > 0 ? String(name) : '',
          how: { variants: variantsText(variants) },
        };
        const variant = [step.variant, `${factor.name}=${name}`].filter(Boolean).join(', ');
        return { ...step, workload, variant, settings: [...step.settings, setting] };
      },
    };
  },
});

function levelOf(wanted: Factor['levels'][number]): Level {
  if (typeof wanted !== 'object') return {};
  const { name: _name, ...rest } = wanted;
  return level.parse(rest);
}

function variantOf(wanted: Factor['levels'][number]): Variant[] {
  const { statements, undo, check } = levelOf(wanted);
  return statements && undo && check !== undefined
    ? [{ name: String(levelName(wanted)), statements, undo, check }]
    : [];
}

/** Statements need `undo` and `check`: a change has to be undone and verified. */
function checkVariant(
  { statements, undo, check }: Level,
  path: readonly (string | number)[],
  complain: Complain,
): void {
  const given = [statements, undo, check].filter((part) => part !== undefined).length;
  if (given === 0 || given === 3) return;
  complain(path, 'statements, undo and check go together, so that each change is verified and undone.');
}
