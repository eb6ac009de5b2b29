import type { TripCard } from '#web/platform/api/types.ts';
import {
  LowBalanceDialog,
  RenameDialog,
  ReportLostDialog,
  TransferDialog,
} from './dialogs/change-card-dialogs.tsx';
import { AddPlasticCardDialog, RequestCardDialog } from './dialogs/new-card-dialogs.tsx';
import { ShareDialog } from './dialogs/share-dialog.tsx';
import { StatementDialog } from './dialogs/statement-dialog.tsx';

const NEW_CARD_DIALOGS = { 'add-plastic': AddPlasticCardDialog, request: RequestCardDialog };
const CARD_DIALOGS = {
  rename: RenameDialog,
  'low-balance': LowBalanceDialog,
  transfer: TransferDialog,
  share: ShareDialog,
  statement: StatementDialog,
  lost: ReportLostDialog,
};

export type CardDialogKind = keyof typeof CARD_DIALOGS;
export type OpenDialog = { kind: keyof typeof NEW_CARD_DIALOGS } | { kind: CardDialogKind; cardId: string };

type CardDialogsProps = {
  dialog: OpenDialog;
  cards: readonly TripCard[];
  onClose: () => void;
  onNewCard: (id: string) => void;
};

export function CardDialogs({ dialog, cards, onClose, onNewCard }: CardDialogsProps) {
  function finish({ id }: TripCard) {
    onClose();
    onNewCard(id);
  }

  if (!('cardId' in dialog)) {
    const NewCardDialog = NEW_CARD_DIALOGS[dialog.kind];
    return <NewCardDialog onClose={onClose} onAdded={finish} />;
  }
  const CardDialog = CARD_DIALOGS[dialog.kind];
  const card = cards.find(({ id }) => id === dialog.cardId);
  return card && <CardDialog card={card} cards={cards} onClose={onClose} onReplaced={finish} />;
}
