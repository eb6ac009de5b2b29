ALTER TABLE "customers" ADD COLUMN "is_demo" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "trip_cards" ADD COLUMN "is_demo" boolean DEFAULT false NOT NULL;
--> statement-breakpoint
-- Demo data of earlier releases. The address is in a domain reserved for examples, and the numbers are the demo's own.
UPDATE "customers" SET "is_demo" = true WHERE "email" = 'demo@harborline.example';
--> statement-breakpoint
UPDATE "trip_cards" SET "is_demo" = true
  WHERE "number" IN ('9000000000000019', '9000000000000027', '9000000000000035')
    OR "customer_id" IN (SELECT "id" FROM "customers" WHERE "is_demo");
--> statement-breakpoint
-- The ledger of a demo card stands for no money, and may be deleted with its card.
CREATE OR REPLACE FUNCTION trip_card_entries_stay() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    IF EXISTS (SELECT 1 FROM trip_cards WHERE id = OLD.trip_card_id AND is_demo) THEN
      RETURN OLD;
    END IF;
  END IF;
  RAISE EXCEPTION 'The ledger of trip cards is append-only.'
    USING ERRCODE = 'restrict_violation', CONSTRAINT = 'trip_card_entries_stay';
END
$$;
