import { Button, Popover } from '@mantine/core';
import { IconCornerLeftUp, IconFolder } from '@tabler/icons-react';
import { type KeyboardEvent, useRef, useState } from 'react';
import type { HostFolder } from '../../shared/model/host.ts';
import { formatBytes } from '../../shared/util/format.ts';
import { useCall } from '../client/index.ts';
import { ProblemBanner } from '../ui/index.ts';
import classes from './folder-picker.module.css';

interface Properties {
  host: string;
  /** Initial folder; if it is no absolute path, the home of the account. */
  value: string;
  /** The list overlays the page, for places without enough room. */
  floating?: boolean;
  onChoose(path: string): void;
}

const parentOf = (path: string): string => path.replace(/\/[^/]*\/?$/, '') || '/';
const below = (path: string, name: string): string => `${path === '/' ? '' : path}/${name}`;

/** Lists the folders of a host through its connection, with file system and free space, and selects one. */
export function FolderPicker({ host, value, floating = false, onChoose }: Properties) {
  const [at, setAt] = useState<string>();
  const close = (): void => setAt(undefined);
  const start = (): void => setAt(value.startsWith('/') ? value : '');
  const button = (
    <Button
      variant="default"
      size="compact-sm"
      leftSection={<IconFolder size={14} stroke={1.6} />}
      aria-expanded={at !== undefined}
      aria-label={`Browse ${host}`}
      onClick={() => (at === undefined ? start() : close())}
    >
      {floating ? 'Browse' : `Browse ${host}`}
    </Button>
  );
  const take = (path: string): void => {
    close();
    onChoose(path);
  };
  const folders =
    at === undefined ? null : <Folders host={host} at={at} onOpen={setAt} onClose={close} onChoose={take} />;
  return floating ? (
    <Popover opened={at !== undefined} onChange={(opened) => !opened && close()} width={420} position="bottom-start">
      <Popover.Target>{button}</Popover.Target>
      <Popover.Dropdown p={0}>{folders}</Popover.Dropdown>
    </Popover>
  ) : (
    <div className={classes.picker}>
      {button}
      {folders}
    </div>
  );
}

interface FoldersProperties {
  host: string;
  /** Empty: the home of the account. */
  at: string;
  onOpen(path: string): void;
  onChoose(path: string): void;
  onClose(): void;
}

function Folders({ host, at, onOpen, onChoose, onClose }: FoldersProperties) {
  const list = useRef<HTMLUListElement>(null);
  const read = useCall(
    'hosts.folder',
    { host, path: at },
    { retry: false, staleTime: 0, placeholderData: (before) => before },
  );
  const { data, error } = read;
  const path = error ? at : (data?.path ?? at);
  const up = (): void => onOpen(parentOf(path));
  const onKeyDown = (event: KeyboardEvent): void => {
    const isHandled = moveFocus(event.key, [...(list.current?.querySelectorAll('button') ?? [])]);
    if (event.key === 'Backspace') up();
    else if (event.key === 'Escape') onClose();
    else if (!isHandled) return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset groups fields, these are places.
    <div role="group" aria-label={`Folders on ${host}`} className={classes.folders} onKeyDown={onKeyDown}>
      <div className={classes.head}>
        <span className="kp-mono kp-ellipsis" title={path}>
          {path || 'Home folder'}
        </span>
        <Button
          variant="default"
          size="compact-sm"
          disabled={!data || error !== null || read.isPlaceholderData}
          onClick={() => onChoose(path)}
        >
          Use this folder
        </Button>
      </div>
      {error ? (
        <ProblemBanner problem={error.problem} />
      ) : data ? (
        <div className="kp-small">{spaceWords(data)}</div>
      ) : null}
      <ul ref={list} aria-busy={read.isFetching}>
        {path === '/' || path === '' ? null : (
          <li>
            <button type="button" onClick={up}>
              <IconCornerLeftUp size={14} stroke={1.6} aria-hidden="true" />
              Parent folder
            </button>
          </li>
        )}
        {(error ? [] : (data?.folders ?? [])).map((name) => (
          <li key={name}>
            <button type="button" className="kp-mono" onClick={() => onOpen(below(path, name))}>
              {name}
            </button>
          </li>
        ))}
      </ul>
      {!error && data?.folders.length === 0 ? <div className="kp-small kp-dim">No folders in it.</div> : null}
      {!error && data?.more ? (
        <div className="kp-small">The first {data.folders.length} folders are listed. Others can be typed.</div>
      ) : null}
      {data || error ? null : <div className="kp-small kp-dim">Listing folders on {host}…</div>}
    </div>
  );
}

/** Moves the focus in the list; returns whether the key did. */
function moveFocus(key: string, buttons: readonly HTMLButtonElement[]): boolean {
  const place = buttons.indexOf(document.activeElement as HTMLButtonElement);
  const last = buttons.length - 1;
  const next: Readonly<Record<string, number>> = {
    ...{ ArrowDown: Math.min(place + 1, last), ArrowUp: Math.max(place - 1, 0) },
    ...{ Home: 0, End: last },
  };
  buttons[next[key] ?? -1]?.focus();
  return key in next;
}

/** “ext4, 120 GiB of 200 GiB free (/srv) · not writable for this account” */
function spaceWords({ fileSystem, writable }: HostFolder): string {
  const space = fileSystem
    ? `${fileSystem.type}, ${formatBytes(fileSystem.freeBytes)} of ${formatBytes(fileSystem.sizeBytes)} free (${fileSystem.mount})`
    : 'File system unknown';
  return writable ? space : `${space} · not writable for this account`;
}
