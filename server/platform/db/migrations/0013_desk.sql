CREATE TABLE "appeals" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "appeals_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"restriction_id" bigint NOT NULL,
	"text" text NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"answered_at" timestamp with time zone,
	"answer" text
);
--> statement-breakpoint
CREATE TABLE "audit" (
	"id" bigint PRIMARY KEY NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"actor_id" bigint,
	"actor_name" text NOT NULL,
	"act" text NOT NULL,
	"target_type" text NOT NULL,
	"target_id" bigint NOT NULL,
	"target_user_id" bigint,
	"report_id" bigint,
	"reason" text NOT NULL,
	"words" text,
	"before" jsonb,
	"undoes" bigint,
	"request_id" text,
	"previous_hash" text NOT NULL,
	"hash" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "restrictions" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "restrictions_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"user_id" bigint NOT NULL,
	"kind" text NOT NULL,
	"target_type" text NOT NULL,
	"target_id" bigint NOT NULL,
	"reason" text NOT NULL,
	"words" text NOT NULL,
	"until" timestamp with time zone,
	"act_id" bigint NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"lifted_at" timestamp with time zone,
	"hidden" jsonb,
	"file_keys" text[] DEFAULT '{}' NOT NULL
);
--> statement-breakpoint
ALTER TABLE "reports" DROP CONSTRAINT "reports_reported_id_users_id_fk";
--> statement-breakpoint
ALTER TABLE "reports" DROP CONSTRAINT "reports_reporter_id_users_id_fk";
--> statement-breakpoint
ALTER TABLE "reports" ALTER COLUMN "reporter_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "reports" ADD COLUMN "target_type" text DEFAULT 'user' NOT NULL;--> statement-breakpoint
ALTER TABLE "reports" ADD COLUMN "target_id" bigint;--> statement-breakpoint
ALTER TABLE "reports" ADD COLUMN "evidence" jsonb;--> statement-breakpoint
ALTER TABLE "reports" ADD COLUMN "is_about_child" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "reports" ADD COLUMN "state" text DEFAULT 'open' NOT NULL;--> statement-breakpoint
ALTER TABLE "reports" ADD COLUMN "closed_by" bigint;--> statement-breakpoint
ALTER TABLE "reports" ADD COLUMN "closed_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "role" text DEFAULT 'person' NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "state" text DEFAULT 'active' NOT NULL;--> statement-breakpoint
ALTER TABLE "appeals" ADD CONSTRAINT "appeals_restriction_id_restrictions_id_fk" FOREIGN KEY ("restriction_id") REFERENCES "public"."restrictions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "restrictions" ADD CONSTRAINT "restrictions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "appeals_open" ON "appeals" USING btree ("restriction_id") WHERE answered_at is null;--> statement-breakpoint
CREATE INDEX "appeals_of_restriction" ON "appeals" USING btree ("restriction_id");--> statement-breakpoint
CREATE UNIQUE INDEX "audit_undone_once" ON "audit" USING btree ("undoes") WHERE undoes is not null;--> statement-breakpoint
CREATE INDEX "audit_of_user" ON "audit" USING btree ("target_user_id","id");--> statement-breakpoint
CREATE INDEX "audit_of_report" ON "audit" USING btree ("report_id","id");--> statement-breakpoint
CREATE INDEX "restrictions_of_user" ON "restrictions" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "restrictions_in_force" ON "restrictions" USING btree ("target_type","target_id") WHERE lifted_at is null;--> statement-breakpoint
CREATE INDEX "restrictions_of_files" ON "restrictions" USING gin ("file_keys") WHERE lifted_at is null;--> statement-breakpoint
ALTER TABLE "reports" ADD CONSTRAINT "reports_reporter_id_users_id_fk" FOREIGN KEY ("reporter_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "reports_in_order" ON "reports" USING btree ("state","is_about_child","created_at","id");--> statement-breakpoint
UPDATE "reports" SET "target_id" = "reported_id", "evidence" = jsonb_build_object('name', "users"."name", 'words', null, 'file', null, 'before', '[]'::jsonb)
FROM "users" WHERE "users"."id" = "reports"."reported_id";--> statement-breakpoint
CREATE FUNCTION "refuse_audit_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'entries of the audit log are never changed or removed';
END $$;--> statement-breakpoint
CREATE TRIGGER "audit_stays" BEFORE UPDATE OR DELETE ON "audit" FOR EACH ROW EXECUTE FUNCTION "refuse_audit_change"();--> statement-breakpoint
CREATE TRIGGER "audit_stays_whole" BEFORE TRUNCATE ON "audit" FOR EACH STATEMENT EXECUTE FUNCTION "refuse_audit_change"();--> statement-breakpoint
-- Its owner could take the rights back. This keeps mistakes from it, and a role that is not the owner.
REVOKE UPDATE, DELETE ON "audit" FROM CURRENT_USER;
