import type { TripCard } from '#web/platform/api/types.ts';
import { AdoptCardDialog } from './dialogs/adopt-card-dialog.tsx';
import { AlertDialog } from './dialogs/alert-dialog.tsx';
import { LostDialog } from './dialogs/lost-dialog.tsx';
import { OrderCardDialog } from './dialogs/order-card-dialog.tsx';
import { RenameDialog } from './dialogs/rename-dialog.tsx';
import { ShareDialog } from './dialogs/share-dialog.tsx';
import { StatementDialog } from './dialogs/statement-dialog.tsx';
import { TransferDialog } from './dialogs/transfer-dialog.tsx';
import type { OpenDialog } from './open-dialog.ts';

type CardDialogsProps = {
  dialog: OpenDialog;
  cards: readonly TripCard[];
  onClose: () => void;
  /** A card that was not there before, by its id. */
  onNewCard: (id: string) => void;
};

/** The one dialog that is open. */
export function CardDialogs({ dialog, cards, onClose, onNewCard }: CardDialogsProps) {
  function finish({ id }: TripCard) {
    onClose();
    onNewCard(id);
  }

  if (dialog.kind === 'adopt') return <AdoptCardDialog onClose={onClose} onAdded={finish} />;
  if (!('cardId' in dialog)) return <OrderCardDialog onClose={onClose} onAdded={finish} />;
  const card = cards.find(({ id }) => id === dialog.cardId);
  if (card === undefined) return null;
  switch (dialog.kind) {
    case 'rename':
      return <RenameDialog card={card} onClose={onClose} />;
    case 'alert':
      return <AlertDialog card={card} onClose={onClose} />;
    case 'transfer':
      return <TransferDialog card={card} cards={cards} onClose={onClose} />;
    case 'share':
      return <ShareDialog card={card} onClose={onClose} />;
    case 'statement':
      return <StatementDialog card={card} onClose={onClose} />;
    case 'lost':
      return <LostDialog card={card} onClose={onClose} onReplaced={finish} />;
  }
}
