import { ActionIcon, Menu, Tooltip } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconDots } from '@tabler/icons-react';
import { problemOf } from '../../../../shared/model/problem.ts';

interface Properties {
  /** Title of the chart. */
  title: string;
  /** The chart in the form of a document. */
  text: string;
  onEdit(): void;
  onRemove(): void;
}

/** Actions for a chart that was added to the session. */
export const ChartActions = ({ title, text, onEdit, onRemove }: Properties) => (
  <Menu position="bottom-end">
    <Menu.Target>
      <Tooltip label="Edit, copy as YAML, remove">
        <ActionIcon aria-label={`Actions for ${title}`}>
          <IconDots size={16} stroke={1.6} />
        </ActionIcon>
      </Tooltip>
    </Menu.Target>
    <Menu.Dropdown>
      <Menu.Item onClick={onEdit}>Edit</Menu.Item>
      <Menu.Item onClick={() => void copy(text)}>Copy as YAML</Menu.Item>
      <Menu.Item onClick={onRemove}>Remove</Menu.Item>
    </Menu.Dropdown>
  </Menu>
);

async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    notifications.show({ message: 'Copied as YAML, for the charts of a document.', autoClose: 3000 });
  } catch (thrown) {
    notifications.show({
      ...{ color: 'red', title: 'The chart was not copied.' },
      message: `${problemOf(thrown).message} Click in the window first, or allow clipboard access for this page.`,
    });
  }
}
