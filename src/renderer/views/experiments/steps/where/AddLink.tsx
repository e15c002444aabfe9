import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { Link } from 'wouter';

export const AddLink = ({ to, words }: { to: string; words: string }) => (
  <Button
    component={Link}
    href={to}
    size="compact-sm"
    variant="subtle"
    color="gray"
    leftSection={<IconPlus size={14} />}
  >
    {words}
  </Button>
);
