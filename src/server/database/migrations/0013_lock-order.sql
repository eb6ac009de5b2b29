-- As the application's own locks of trip cards: a stronger one would wait for foreign keys being checked.
CREATE OR REPLACE FUNCTION trip_card_entry_number() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  newest record;
BEGIN
  PERFORM 1 FROM trip_cards WHERE id = NEW.trip_card_id FOR NO KEY UPDATE;
  SELECT seq, balance_after INTO newest FROM trip_card_entries
    WHERE trip_card_id = NEW.trip_card_id ORDER BY seq DESC LIMIT 1;
  NEW.seq := coalesce(newest.seq, 0) + 1;
  NEW.balance_after := coalesce(newest.balance_after, 0) + NEW.amount;
  RETURN NEW;
END
$$;
