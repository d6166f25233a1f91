export const texts = {
  group: {
    ran: (ran: number, nodes: number) => `${ran} of ${nodes} ran`,
    most: (title: string) => `The most of a node in this group: ${title}`,
    taken: (taken: number, nodes: number) => `${taken}/${nodes}`,
    takenTitle: (taken: number, nodes: number) => `${taken} of ${nodes} nodes in this group ran`,
  },
} as const;
