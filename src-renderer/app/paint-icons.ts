import { detailIcons } from '#renderer/editor/canvas/detail-icons.ts';
import { kindIcons } from '#renderer/ui/kinds/kind-icons.ts';
import { paintIcons } from '#renderer/ui/theme/painted-icons.ts';

paintIcons({ ...kindIcons, ...detailIcons });
