CREATE TABLE "profile_search" (
	"profile_id" bigint PRIMARY KEY NOT NULL,
	"user_id" bigint NOT NULL,
	"quality" smallint NOT NULL,
	"min_age" smallint,
	"max_age" smallint,
	"height" double precision,
	"active_on" date NOT NULL,
	"tokens" "tsvector" NOT NULL,
	"card" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "search_queue" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "search_queue_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"profile_id" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "search_terms" (
	"kind" text NOT NULL,
	"term" text NOT NULL,
	CONSTRAINT "search_terms_kind_term_pk" PRIMARY KEY("kind","term")
);
--> statement-breakpoint
ALTER TABLE "profile_search" ADD CONSTRAINT "profile_search_profile_id_profiles_id_fk" FOREIGN KEY ("profile_id") REFERENCES "public"."profiles"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "profile_search" ADD CONSTRAINT "profile_search_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "profile_search_tokens" ON "profile_search" USING gin ("tokens") WITH (fastupdate=false);--> statement-breakpoint
CREATE INDEX "profile_search_of_user" ON "profile_search" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "search_terms_alike" ON "search_terms" USING gin ("term" gin_trgm_ops);
--> statement-breakpoint
-- The lowest there is: tokens and cards lie beside their rows, so that thousands of rows are read and sorted at once.
ALTER TABLE "profile_search" SET (toast_tuple_target = 128);--> statement-breakpoint
CREATE FUNCTION "search_notes_profile"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "search_queue" ("profile_id") VALUES (NEW."id");
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE FUNCTION "search_notes_part"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "search_queue" ("profile_id") VALUES (coalesce(NEW."profile_id", OLD."profile_id"));
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE FUNCTION "search_notes_user"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "search_queue" ("profile_id") SELECT "id" FROM "profiles" WHERE "user_id" = NEW."id";
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "search_notes" AFTER INSERT OR UPDATE ON "profiles"
  FOR EACH ROW EXECUTE FUNCTION "search_notes_profile"();--> statement-breakpoint
CREATE TRIGGER "search_notes" AFTER UPDATE OF "name", "slug" ON "users"
  FOR EACH ROW EXECUTE FUNCTION "search_notes_user"();--> statement-breakpoint
CREATE TRIGGER "search_notes_written" AFTER INSERT OR UPDATE ON "section_rows" FOR EACH ROW
  WHEN (NEW."section" IN ('experience', 'language', 'attribute', 'skill', 'job_role', 'voice_characteristic'))
  EXECUTE FUNCTION "search_notes_part"();--> statement-breakpoint
CREATE TRIGGER "search_notes_deleted" AFTER DELETE ON "section_rows" FOR EACH ROW
  WHEN (OLD."section" IN ('experience', 'language', 'attribute', 'skill', 'job_role', 'voice_characteristic'))
  EXECUTE FUNCTION "search_notes_part"();--> statement-breakpoint
CREATE TRIGGER "search_notes" AFTER INSERT OR UPDATE OF "media_type", "metadata", "is_hidden" OR DELETE ON "media"
  FOR EACH ROW EXECUTE FUNCTION "search_notes_part"();--> statement-breakpoint
INSERT INTO "search_queue" ("profile_id") SELECT "id" FROM "profiles" ORDER BY "id";
