import { Button } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import type { ServerProgram, TargetKind } from '../../../../shared/model/target.ts';
import { useCall } from '../../../client/index.ts';
import { ProblemBanner } from '../../../ui/index.ts';
import classes from './place.module.css';

interface Properties {
  kind: TargetKind;
  host: string;
  /** Name or path as typed. */
  typed: string;
  onChoose(program: string): void;
}

/** Programs of a host with their versions, on demand. */
export function FoundPrograms({ kind, host, typed, onChoose }: Properties) {
  const [also, setAlso] = useState<string>();
  const isAsked = also !== undefined;
  const input = { kind, host, ...(also ? { also } : {}) };
  const found = useCall('targets.findPrograms', input, { enabled: isAsked, retry: false, staleTime: 0 });
  const look = (): void => {
    setAlso(typed.trim());
    if (isAsked) void found.refetch();
  };
  return (
    <div className={classes.programs}>
      <Button
        variant="default"
        size="compact-sm"
        leftSection={<IconSearch size={14} stroke={1.6} />}
        loading={found.isFetching}
        onClick={look}
      >
        Find on {host}
      </Button>
      {found.error && <ProblemBanner problem={found.error.problem} />}
      {found.data && (
        <ul aria-label={`Programs on ${host}`}>
          {found.data.map((program) => (
            <Program key={program.name} program={program} isChosen={isSame(program, typed)} onChoose={onChoose} />
          ))}
        </ul>
      )}
    </div>
  );
}

const isSame = ({ name, path }: ServerProgram, typed: string): boolean => [name, path].includes(typed.trim());

/** Many begin with their own path, which is already shown above. */
function versionWords(path: string | undefined, version = ''): string {
  if (path === undefined) return 'not found';
  return version.replace(path, '').trim() || 'unknown version';
}

interface ProgramProperties {
  program: ServerProgram;
  isChosen: boolean;
  onChoose(program: string): void;
}

const Program = ({ program: { name, path, version }, isChosen, onChoose }: ProgramProperties) => (
  <li>
    <span className="kp-mono">{path ?? name}</span>
    <span className="kp-small kp-dim">{versionWords(path, version)}</span>
    {path !== undefined && (
      <Button
        size="compact-xs"
        variant="subtle"
        disabled={isChosen}
        aria-label={isChosen ? `Chosen: ${path}` : `Use ${path}`}
        onClick={() => onChoose(path)}
      >
        {isChosen ? 'Chosen' : 'Use'}
      </Button>
    )}
  </li>
);
