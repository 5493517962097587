CREATE TABLE "offices" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "offices_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"skeleton" text NOT NULL,
	"domain" text,
	"user_id" bigint,
	"verified_by" bigint,
	"verified_at" timestamp with time zone NOT NULL,
	"revoked_at" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "unreachable_email" text;--> statement-breakpoint
ALTER TABLE "offices" ADD CONSTRAINT "offices_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "offices_of_user" ON "offices" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "offices_one_of_a_person" ON "offices" USING btree ("user_id") WHERE revoked_at is null;--> statement-breakpoint
CREATE UNIQUE INDEX "offices_by_skeleton" ON "offices" USING btree ("skeleton") WHERE revoked_at is null;