CREATE TABLE "casting_link_openings" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "casting_link_openings_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"link_id" bigint NOT NULL,
	"session_hash" text NOT NULL,
	"opened_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"seconds" double precision DEFAULT 0 NOT NULL,
	CONSTRAINT "casting_link_openings_session_hash_unique" UNIQUE("session_hash")
);
--> statement-breakpoint
CREATE TABLE "casting_link_viewings" (
	"link_id" bigint NOT NULL,
	"tape_id" bigint NOT NULL,
	"seconds" double precision NOT NULL,
	CONSTRAINT "casting_link_viewings_link_id_tape_id_pk" PRIMARY KEY("link_id","tape_id")
);
--> statement-breakpoint
CREATE TABLE "casting_links" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "casting_links_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"user_id" bigint NOT NULL,
	"role_id" bigint NOT NULL,
	"client_id" uuid NOT NULL,
	"name" text NOT NULL,
	"tape_ids" jsonb,
	"expires_at" timestamp with time zone NOT NULL,
	"token_hash" text NOT NULL,
	"code_hash" text,
	"watermark" text NOT NULL,
	"wrong_codes" integer DEFAULT 0 NOT NULL,
	"closings" integer DEFAULT 0 NOT NULL,
	"closed_until" timestamp with time zone,
	"opened" integer DEFAULT 0 NOT NULL,
	"revoked_at" timestamp with time zone,
	"revoked_by" text,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "casting_links_client_id" UNIQUE("user_id","client_id")
);
--> statement-breakpoint
ALTER TABLE "audition_tapes" ADD COLUMN "no_links" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "casting_link_openings" ADD CONSTRAINT "casting_link_openings_link_id_casting_links_id_fk" FOREIGN KEY ("link_id") REFERENCES "public"."casting_links"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "casting_link_viewings" ADD CONSTRAINT "casting_link_viewings_link_id_casting_links_id_fk" FOREIGN KEY ("link_id") REFERENCES "public"."casting_links"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "casting_link_viewings" ADD CONSTRAINT "casting_link_viewings_tape_id_audition_tapes_id_fk" FOREIGN KEY ("tape_id") REFERENCES "public"."audition_tapes"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "casting_links" ADD CONSTRAINT "casting_links_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "casting_links" ADD CONSTRAINT "casting_links_role_id_casting_roles_id_fk" FOREIGN KEY ("role_id") REFERENCES "public"."casting_roles"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "casting_link_openings_of_link" ON "casting_link_openings" USING btree ("link_id","id");--> statement-breakpoint
CREATE INDEX "casting_link_viewings_of_tape" ON "casting_link_viewings" USING btree ("tape_id");--> statement-breakpoint
CREATE INDEX "casting_links_by_address" ON "casting_links" USING btree ("client_id");--> statement-breakpoint
CREATE INDEX "casting_links_of_role" ON "casting_links" USING btree ("role_id","id");