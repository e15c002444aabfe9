import { ActionIcon, CopyButton, Tooltip } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';

/** A small button that copies a text. */
export function CopyText({ text, label = 'Copy' }: { text: string; label?: string }) {
  return (
    <CopyButton value={text}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? 'Copied' : label}>
          <ActionIcon aria-label={label} onClick={copy}>
            {copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
          </ActionIcon>
        </Tooltip>
      )}
    </CopyButton>
  );
}

interface CodeBlockProperties {
  text: string;
  label?: string;
  maxHeight?: number;
  /** Shows the end of a long text first, for a log. */
  atEnd?: boolean;
}

const scrollToEnd = (pre: HTMLPreElement | null): void => {
  if (pre) pre.scrollTop = pre.scrollHeight;
};

/** Machine-readable text, to read and copy. */
export function CodeBlock({ text, label = 'Copy', maxHeight, atEnd }: CodeBlockProperties) {
  return (
    <div className="kp-code">
      {/* Long output scrolls, so it must be reachable by keyboard. */}
      <pre
        ref={atEnd ? scrollToEnd : undefined}
        tabIndex={maxHeight ? 0 : undefined}
        style={maxHeight ? { maxHeight } : undefined}
      >
        {text}
      </pre>
      <CopyText text={text} label={label} />
    </div>
  );
}
