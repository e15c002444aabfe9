import { Skeleton } from '@mantine/core';

const rowKeys = (count: number): string[] => Array.from({ length: count }, (_, index) => `row-${index}`);

/** Stands for a table of `rows` lines while it is on its way. */
export function TableSkeleton({ rows = 6 }: { rows?: number }) {
  return (
    <div role="status" aria-label="Loading" style={{ padding: 16, display: 'grid', gap: 16 }}>
      {rowKeys(rows).map((key) => (
        <Skeleton key={key} height={16} radius="xs" />
      ))}
    </div>
  );
}

/** Stands for a chart or another block of a known height. */
export const BlockSkeleton = ({ height = 240 }: { height?: number }) => (
  <div role="status" aria-label="Loading">
    <Skeleton height={height} radius="sm" />
  </div>
);
