-- An entry gets its number and the balance after it here, under the lock of its card: whatever a statement says,
-- numbers run 1, 2, 3 and each balance is the one before plus the amount. Below zero the table's check refuses it.
CREATE FUNCTION trip_card_entry_number() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  newest record;
BEGIN
  PERFORM 1 FROM trip_cards WHERE id = NEW.trip_card_id FOR UPDATE;
  SELECT seq, balance_after INTO newest FROM trip_card_entries
    WHERE trip_card_id = NEW.trip_card_id ORDER BY seq DESC LIMIT 1;
  NEW.seq := coalesce(newest.seq, 0) + 1;
  NEW.balance_after := coalesce(newest.balance_after, 0) + NEW.amount;
  RETURN NEW;
END
$$;
--> statement-breakpoint
CREATE TRIGGER trip_card_entry_number BEFORE INSERT ON trip_card_entries
  FOR EACH ROW EXECUTE FUNCTION trip_card_entry_number();
--> statement-breakpoint
-- After and not before the insert: an entry that a conflict keeps out must not move the balance.
CREATE FUNCTION trip_card_entry_carry() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE trip_cards SET balance = newest.balance_after, entry_count = newest.seq,
      version = version + 1, updated_at = NEW.inserted_at
    FROM (
      SELECT seq, balance_after FROM trip_card_entries
      WHERE trip_card_id = NEW.trip_card_id ORDER BY seq DESC LIMIT 1
    ) newest
    WHERE id = NEW.trip_card_id;
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER trip_card_entry_carry AFTER INSERT ON trip_card_entries
  FOR EACH ROW EXECUTE FUNCTION trip_card_entry_carry();
--> statement-breakpoint
CREATE FUNCTION trip_card_entries_stay() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'The ledger of trip cards is append-only.'
    USING ERRCODE = 'restrict_violation', CONSTRAINT = 'trip_card_entries_stay';
END
$$;
--> statement-breakpoint
CREATE TRIGGER trip_card_entries_stay BEFORE UPDATE OR DELETE ON trip_card_entries
  FOR EACH ROW EXECUTE FUNCTION trip_card_entries_stay();
--> statement-breakpoint
CREATE TRIGGER trip_card_entries_stay_whole BEFORE TRUNCATE ON trip_card_entries
  FOR EACH STATEMENT EXECUTE FUNCTION trip_card_entries_stay();
--> statement-breakpoint
-- A card's balance is what its newest entry says, and nothing else can be written there.
CREATE FUNCTION trip_card_balance() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  newest record;
BEGIN
  SELECT seq, balance_after INTO newest FROM trip_card_entries
    WHERE trip_card_id = NEW.id ORDER BY seq DESC LIMIT 1;
  IF NEW.balance <> coalesce(newest.balance_after, 0) OR NEW.entry_count <> coalesce(newest.seq, 0) THEN
    RAISE EXCEPTION 'The balance of a trip card is the sum of its entries.'
      USING ERRCODE = 'check_violation', CONSTRAINT = 'trip_cards_balance';
  END IF;
  RETURN NEW;
END
$$;
--> statement-breakpoint
CREATE TRIGGER trip_card_balance_of_new BEFORE INSERT ON trip_cards
  FOR EACH ROW EXECUTE FUNCTION trip_card_balance();
--> statement-breakpoint
CREATE TRIGGER trip_card_balance BEFORE UPDATE ON trip_cards
  FOR EACH ROW WHEN (NEW.balance <> OLD.balance OR NEW.entry_count <> OLD.entry_count)
  EXECUTE FUNCTION trip_card_balance();
