import type { Experiment } from '../../../../shared/model/experiment.ts';
import type { TargetKindInfo } from '../../../../shared/model/target.ts';
import type { ToolInfo } from '../../../../shared/model/tool.ts';

/**
 * Kinds of targets that a document can use: those that its tool drives and that have the server settings it varies. All kinds of the tool
 * if none is known to have them, or if the targets themselves are levels.
 */
export function kindsFor(
  tool: Pick<ToolInfo, 'drives'> | undefined,
  { factors }: Pick<Experiment, 'factors'>,
  kinds: readonly Pick<TargetKindInfo, 'kind' | 'ownSettings'>[],
): readonly string[] | undefined {
  if (!tool || factors.some(({ kind }) => kind === 'target')) return tool?.drives;
  const settings = factors.flatMap((factor) => (typeof factor.setting === 'string' ? [factor.setting] : []));
  const owners = kinds.filter(
    ({ ownSettings }) => ownSettings !== undefined && settings.some((setting) => new RegExp(ownSettings).test(setting)),
  );
  const fitting = tool.drives.filter((kind) => owners.some((owner) => owner.kind === kind));
  return fitting.length > 0 ? fitting : tool.drives;
}
