import { Skeleton } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import { type ReactNode, useId, useState } from 'react';

/** Body of every view: padding and spacing. */
export const Page = ({ children }: { children: ReactNode }) => <div className="kp-page">{children}</div>;

interface FormFooterProperties {
  /** Why the action of a button failed: above the buttons, so that it is visible with them. */
  problem?: ReactNode;
  children: ReactNode;
}

/** Buttons of a form, visible however long it is. Last on its page, or in the element that fills it. */
export const FormFooter = ({ problem, children }: FormFooterProperties) => (
  <footer className="kp-form-footer">
    {problem ? <div className="kp-form-problem">{problem}</div> : null}
    {children}
  </footer>
);

interface PageHeaderProperties {
  title: ReactNode;
  /** State next to the title. */
  aside?: ReactNode;
  /** One line below the title. */
  subtitle?: ReactNode;
  actions?: ReactNode;
}

export function PageHeader({ title, aside, subtitle, actions }: PageHeaderProperties) {
  return (
    <header className="kp-page-header">
      <div className="kp-page-header-words">
        <div className="kp-page-header-title">
          <h1 title={typeof title === 'string' ? title : undefined}>{title}</h1>
          {aside}
        </div>
        {subtitle ? <div className="kp-dim">{subtitle}</div> : null}
      </div>
      {actions ? <div className="kp-page-header-actions">{actions}</div> : null}
    </header>
  );
}

interface PanelProperties {
  title?: ReactNode;
  /** Small words next to the title. */
  note?: ReactNode;
  actions?: ReactNode;
  /** Without padding: for tables that reach the edge. */
  flush?: boolean;
  /** Name for assistive technology if there is no title. */
  label?: string;
  children: ReactNode;
}

/** A titled box. */
export function Panel({ title, note, actions, flush, label, children }: PanelProperties) {
  const name = typeof title === 'string' ? title : label;
  return (
    <section className="kp-panel" aria-label={name}>
      {title || actions ? (
        <div className="kp-panel-head">
          {title ? <h2>{title}</h2> : null}
          <div className="kp-panel-note kp-small kp-ellipsis">{note}</div>
          {actions}
        </div>
      ) : null}
      <div className="kp-panel-body" data-flush={flush || undefined}>
        {children}
      </div>
    </section>
  );
}

interface FoldProperties {
  title: string;
  /** Summary of its contents, readable while it is closed. */
  note: string;
  /** Open by default, as something in it must be seen. */
  open?: boolean;
  children: ReactNode;
}

/** A box that can be opened. */
export function Fold({ title, note, open = false, children }: FoldProperties) {
  const [opened, setOpened] = useState(false);
  const id = useId();
  const shown = opened || open;
  return (
    <section className="kp-panel kp-fold" aria-label={title}>
      <h2>
        <button type="button" aria-expanded={shown} aria-controls={id} onClick={() => setOpened(!shown)}>
          <IconChevronRight size={14} stroke={2} aria-hidden="true" />
          {title} <span className="kp-small kp-ellipsis">{note}</span>
        </button>
      </h2>
      <div id={id} className="kp-panel-body" hidden={!shown}>
        {children}
      </div>
    </section>
  );
}

interface EmptyStateProperties {
  icon?: ReactNode;
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}

/** Explains the purpose of a place and offers the next action. */
export function EmptyState({ icon, title, children, action }: EmptyStateProperties) {
  return (
    <div className="kp-empty">
      {icon}
      <h2>{title}</h2>
      {children ? <p>{children}</p> : null}
      {action}
    </div>
  );
}

export type Pair = readonly [name: string, value: ReactNode];

/** Names and values, aligned. Omits pairs without a value. */
export function KeyValueList({ pairs }: { pairs: readonly Pair[] }) {
  return (
    <dl className="kp-pairs">
      {pairs
        .filter(([, value]) => value !== undefined && value !== null && value !== false && value !== '')
        .map(([name, value]) => [<dt key={`${name}-name`}>{name}</dt>, <dd key={`${name}-value`}>{value}</dd>])}
    </dl>
  );
}

const rowKeys = (count: number): string[] => Array.from({ length: count }, (_, index) => `row-${index}`);

/** Placeholder for a table of `rows` lines while it loads. */
export function TableSkeleton({ rows = 6 }: { rows?: number }) {
  return (
    <div role="status" aria-label="Loading" style={{ padding: 16, display: 'grid', gap: 16 }}>
      {rowKeys(rows).map((key) => (
        <Skeleton key={key} height={16} radius="xs" />
      ))}
    </div>
  );
}

/** Placeholder for a chart or another block of a known height. `words`: what is awaited. */
export const BlockSkeleton = ({ height = 240, words }: { height?: number; words?: string }) => (
  <div role="status" aria-label={words ?? 'Loading'} className="kp-block-skeleton">
    <Skeleton height={height} radius="sm" />
    {words === undefined ? null : <span aria-hidden="true">{words}</span>}
  </div>
);
