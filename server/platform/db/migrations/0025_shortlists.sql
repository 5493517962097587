CREATE TABLE "casting_candidates" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "casting_candidates_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"role_id" bigint NOT NULL,
	"profile_id" bigint NOT NULL,
	"column" text NOT NULL,
	"position" text NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"client_id" uuid,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "casting_candidates_once" UNIQUE("role_id","profile_id")
);
--> statement-breakpoint
ALTER TABLE "casting_roles" ADD COLUMN "columns" jsonb;--> statement-breakpoint
ALTER TABLE "casting_candidates" ADD CONSTRAINT "casting_candidates_role_id_casting_roles_id_fk" FOREIGN KEY ("role_id") REFERENCES "public"."casting_roles"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "casting_candidates" ADD CONSTRAINT "casting_candidates_profile_id_profiles_id_fk" FOREIGN KEY ("profile_id") REFERENCES "public"."profiles"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "casting_candidates_of_profile" ON "casting_candidates" USING btree ("profile_id");