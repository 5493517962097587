CREATE TABLE "casting_members" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "casting_members_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"project_id" bigint NOT NULL,
	"user_id" bigint NOT NULL,
	"role" text NOT NULL,
	"state" text DEFAULT 'invited' NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"client_id" uuid,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "casting_members_once" UNIQUE("project_id","user_id")
);
--> statement-breakpoint
ALTER TABLE "tape_marks" DROP CONSTRAINT "tape_marks_user_id_users_id_fk";
--> statement-breakpoint
ALTER TABLE "tape_marks" ALTER COLUMN "user_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "casting_members" ADD CONSTRAINT "casting_members_project_id_casting_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."casting_projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "casting_members" ADD CONSTRAINT "casting_members_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "casting_members_of_user" ON "casting_members" USING btree ("user_id","project_id");--> statement-breakpoint
ALTER TABLE "tape_marks" ADD CONSTRAINT "tape_marks_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;