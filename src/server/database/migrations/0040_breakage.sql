CREATE TABLE "breakage_entries" (
	"seq" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "breakage_entries_seq_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"trip_card_id" text NOT NULL,
	"trips" integer NOT NULL,
	"amount" bigint NOT NULL,
	"currency" text NOT NULL,
	"booked_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "breakage_entries" ADD CONSTRAINT "breakage_entries_trip_card_id_trip_cards_id_fk" FOREIGN KEY ("trip_card_id") REFERENCES "public"."trip_cards"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "breakage_entries_by_card" ON "breakage_entries" USING btree ("trip_card_id");--> statement-breakpoint
CREATE INDEX "breakage_entries_by_time" ON "breakage_entries" USING btree ("booked_at");--> statement-breakpoint
CREATE FUNCTION breakage_entries_stay() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- Only the removal of the demo deletes trip cards, and their entries with them.
  IF TG_OP = 'DELETE' AND TG_LEVEL = 'ROW' THEN
    IF NOT EXISTS (SELECT FROM trip_cards WHERE id = OLD.trip_card_id) THEN
      RETURN OLD;
    END IF;
  END IF;
  RAISE EXCEPTION 'Accounting entries are append-only.'
    USING ERRCODE = 'restrict_violation', CONSTRAINT = 'accounting_entries_stay';
END
$$;
--> statement-breakpoint
CREATE TRIGGER breakage_entries_stay BEFORE UPDATE OR DELETE ON breakage_entries
  FOR EACH ROW EXECUTE FUNCTION breakage_entries_stay();
--> statement-breakpoint
CREATE TRIGGER breakage_entries_stay_whole BEFORE TRUNCATE ON breakage_entries
  FOR EACH STATEMENT EXECUTE FUNCTION breakage_entries_stay();
