/** Screens that most people see soon: they are loaded while the start page or the table is shown. */
import { EventsScreen } from "./events/events.js";
import { LeaderboardScreen } from "./events/leaderboard.js";
import { LobbyScreen } from "./start/lobby.js";
import { RulesScreen } from "./start/rulespage.js";
import { FriendsScreen } from "./people/friends.js";
import { PersonDialog } from "./people/persondialog.js";
import { PlayerScreen } from "./people/profile.js";

export { EventsScreen, FriendsScreen, LeaderboardScreen, LobbyScreen, PersonDialog, PlayerScreen, RulesScreen };
