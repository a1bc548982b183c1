/** All screens but the start page and the table: they are loaded while one of these two is shown. */
import { EventScreen } from "./events/event.js";
import { EventsScreen } from "./events/events.js";
import { LeaderboardScreen } from "./events/leaderboard.js";
import { CreateScreen } from "./start/create.js";
import { LobbyScreen } from "./start/lobby.js";
import { RulesScreen } from "./start/rulespage.js";
import { FriendsScreen } from "./people/friends.js";
import { PersonDialog } from "./people/persondialog.js";
import { PlayerScreen } from "./people/profile.js";

export {
  CreateScreen,
  EventScreen,
  EventsScreen,
  FriendsScreen,
  LeaderboardScreen,
  LobbyScreen,
  PersonDialog,
  PlayerScreen,
  RulesScreen,
};
