"""What each scope allows, in the words of the consent page, with the operations that each sentence covers.

Every operation with a scope is covered by one sentence of its scope; `tests/api/accounts/test_scopes.py` compares them.
"""

from typing import Final, NamedTuple

from service.texts import Text, text


class Clause(NamedTuple):
    """A sentence, and the operations (operationId) that it covers."""

    says: Text
    operations: tuple[str, ...]


_QUESTIONS: Final = (
    *("askSetup", "askGame", "askOptions", "askDeclare", "askChaoDi", "askMisdeal", "askCall", "askFriends"),
    *("askKitty", "askScore", "askLevels", "askNext", "askArmsFollow", "askArmsTrick", "askArmsScore", "askOrder"),
    *("askAdjacent", "askLead", "askThrow", "askFollow", "askPlays", "askTrick"),
)

#: Scope -> its sentences.
CLAUSES: Final[dict[str, tuple[Clause, ...]]] = {
    "profile:read": (
        Clause(text("Read your profile and its settings", "读取您的资料及其设置"), ("getMe",)),
        Clause(
            text(
                "Read public profiles, results, ratings and leaderboards",
                "读取公开的资料、战绩、积分和排行榜",
            ),
            ("getPlayer", "listRatings", "listBots", "getLeaderboard"),
        ),
    ),
    "social:read": (
        Clause(
            text(
                "See your friends and where they play, and whom you have blocked or muted",
                "查看您的好友及其所在牌桌，以及您拉黑或静音的玩家",
            ),
            ("listFriends", "listBlocks", "listMutes"),
        ),
        Clause(text("See which plays of AI players you find silly", "查看您认为电脑出得不好的牌"), ("listObjections",)),
    ),
    "games:read": (
        Clause(
            text("Read finished games, also yours at private tables", "读取已结束的牌局，包括您在私人牌桌的牌局"),
            ("getGame", "getRecord", "getRound", "getRoundState", "getRoundEvents", "listMyGames", "listPlayerGames"),
        ),
        Clause(
            text("See which rounds you have played, and your mistakes in them", "查看您打过的各局及其中的失误"),
            ("listMyRounds", "listMyMistakes"),
        ),
        Clause(
            text("Make links with which anybody can see a round of yours", "生成链接，让任何人都能看到您的一局"),
            ("shareRound",),
        ),
        Clause(text("See your riddles of the day", "查看您当天的牌题"), ("listMyRiddles",)),
        Clause(text("Have games analysed", "分析牌局"), ("analyseRound", "getAnalysis", "askPar", "getPar")),
        Clause(
            text("Read events, their boards and standings", "读取比赛、牌副和排名"),
            (
                *("listBoardEvents", "getBoardEvent", "getBoard", "getStandings", "listTeamEvents", "getTeamEvent"),
                *("getTeamMatch", "getTeamStandings", "exportTeamResults", "getLogOfTeamEvent"),
                *("listShownBoards", "getShownBoard"),
            ),
        ),
        Clause(
            text("See the deals that you have sent or played, and compare them", "查看您发送或打过的牌并比较"),
            ("listMyDealLinks", "compareDeal"),
        ),
        Clause(
            text("Ask about rules, check records and shuffles", "询问规则，核对记录和洗牌"),
            (*_QUESTIONS, "checkRecord", "checkShuffle"),
        ),
    ),
    "tables:read": (
        Clause(
            text("See your tables, and your cards at them", "查看您的牌桌，以及您在桌上的手牌"),
            ("listMyTables", "getTable", "listLegalPlays", "listEvents", "createStreamTicket"),
        ),
        Clause(
            text("Follow your account: turns, invitations, challenges", "跟随您的账号：轮次、邀请和挑战"),
            ("listMyEvents", "createMyStreamTicket", "listInvitations", "getChallenge"),
        ),
        Clause(
            text("See your rooms, who belongs to them, and their links", "查看您的房间、其中的成员和链接"),
            ("listMyRooms", "getRoom", "getRoomHistory"),
        ),
        Clause(
            text("See clubs, and who belongs to yours", "查看俱乐部，以及您的俱乐部中的成员"),
            ("listClubs", "listMyClubs", "getClub", "listClubTables", "listClubEvents"),
        ),
        Clause(
            text("See the seasons and the ranking of your clubs", "查看您的俱乐部的赛季和排名"),
            ("listClubSeasons", "getClubSeason", "getClubRanking"),
        ),
        Clause(text("See open tables, and watch", "查看公开的牌桌并旁观"), ("listTables", "listPools", "watchTable")),
    ),
    "tables:play": (
        Clause(
            text("Sit down, play and leave for you, and ask for hints", "代您入座、出牌、离座和请求提示"),
            (
                *(
                    "takeSeat",
                    "leaveSeat",
                    "move",
                    "resume",
                    "ready",
                    "giveEntropy",
                    "declare",
                    "passDecision",
                    "redeal",
                ),
                *("discard", "overcallKitty", "callFriends", "stateRoad", "play", "claim", "getHint"),
            ),
        ),
        Clause(
            text("Read and give your standing orders at tables that take days", "查看和设置您在按小时计时的牌桌的预令"),
            ("getOrders", "setOrders", "tryOrders"),
        ),
        Clause(
            text(
                "Vote, end pauses, take back plays and give others more time for you",
                "代您投票、结束暂停、悔牌和给别人加时",
            ),
            ("openVote", "castVote", "endPause", "askTakeBack", "answerTakeBack", "giveTime"),
        ),
        Clause(
            text("Look for games and challenge players for you", "代您寻找牌局和挑战玩家"),
            (
                *("openTicket", "getTicket", "closeTicket", "confirmMatch", "challengePlayer", "answerChallenge"),
                "withdrawChallenge",
            ),
        ),
        Clause(
            text(
                "Join and leave rooms for you, and remove people from yours", "代您加入和离开房间，并从您的房间移出成员"
            ),
            ("joinRoom", "removeFromRoom"),
        ),
        Clause(
            text(
                "Join and leave clubs for you, ask to join, and remove people from yours",
                "代您加入和离开俱乐部、申请加入，并从您的俱乐部移出成员",
            ),
            ("joinClub", "removeFromClub", "askToJoinClub", "withdrawClubRequest"),
        ),
        Clause(
            text("Send deals of yours, and play those of others for you", "代您发送您打过的牌，打别人发来的牌"),
            ("sendDeal", "takeDealBack", "playDeal"),
        ),
        Clause(text("Answer riddles for you", "代您回答牌题"), ("answerRiddle",)),
        Clause(
            text("Enter events for you, alone or with teams", "代您个人或组队参加比赛"),
            (
                *("enterBoardEvent", "playBoard", "enterTeams", "replaceTeam", "confirmTeam", "leaveTeam"),
                *("withdrawTeam", "agreeOnTime", "beReadyForMatch", "beReadyNoLonger"),
            ),
        ),
    ),
    "tables:host": (
        Clause(
            text("Open, change and close tables for you, say who sits there", "代您开桌、更改和关闭牌桌，决定谁入座"),
            ("createTable", "updateTable", "closeTable", "kick", "seatAi", "advanceClock", "provokeProblem"),
        ),
        Clause(
            text("Make rooms for you, and change your rooms and their links", "代您创建房间，并更改您的房间及其链接"),
            ("createRoom", "updateRoom", "renewRoomLink", "passRoomOn", "readmitToRoom", "openRoomTable"),
        ),
        Clause(
            text("Make clubs for you, and run yours", "代您创建俱乐部，并管理您的俱乐部"),
            (
                *("createClub", "updateClub", "closeClub", "renewClubLink"),
                *("giveClubRole", "readmitToClub", "answerClubRequest"),
                *("createClubSeason", "updateClubSeason", "deleteClubSeason"),
            ),
        ),
        Clause(text("Add games to your list from their records", "通过记录把牌局加入您的列表"), ("importRecord",)),
        Clause(
            text("Hold and direct events of teams for you", "代您举办和主持团体赛"),
            (
                *("createTeamEvent", "closeTeamEvent", "getNextRound", "startRound", "changeRound"),
                *("ruleOnBoard", "ruleOnMatch", "takeBackRuling", "penalizeTeam", "undoRuling"),
                *("showTeamEvent", "hideTeamEvent", "nameDirector", "removeDirector", "passOnLead"),
                *("makeEntryLink", "endEntryLink", "enterList"),
            ),
        ),
    ),
    "chat:write": (
        Clause(text("Write in chats for you", "代您在聊天中发言"), ("chat",)),
        Clause(text("Comment on boards of events for you", "代您解说比赛"), ("commentOnBoard", "takeBackComment")),
        Clause(text("Send notes to the entrants of events", "代您向参赛者发通知"), ("sendNote", "takeBackNote")),
        Clause(text("Take part in voices at a table", "参与牌桌语音"), ("getVoice", "sendVoiceSignal")),
    ),
    "social:write": (
        Clause(
            text("Change your friends, and whom you have blocked or muted", "更改您的好友，以及您拉黑或静音的玩家"),
            ("mute", "unmute", "block", "unblock", "befriend", "unfriend"),
        ),
        Clause(
            text("Report and invite players for you", "代您举报和邀请玩家"),
            ("reportPlayer", "reportRoom", "reportClub", "reportTeamEvent", "invite"),
        ),
        Clause(
            text("Say for you which plays of AI players were silly", "代您评价电脑的出牌"),
            ("putObjection", "deleteObjection"),
        ),
    ),
    "push:write": (
        Clause(
            text(
                "Have itself told of your turns, games and invitations while you are away, on its own server or device",
                "在您离开时，让它自己的服务器或设备得知您的轮次、牌局和邀请",
            ),
            (
                *("getPushKey", "listPushSubscriptions", "putPushSubscription", "deletePushSubscription"),
                *("listWebhooks", "createWebhook", "getWebhook", "updateWebhook", "deleteWebhook"),
                *("replaceWebhookSecret", "verifyWebhook", "testWebhook", "listDeliveries", "retryDelivery"),
            ),
        ),
    ),
    "account": (
        Clause(
            text("Change your profile, and what your devices are told", "更改您的资料和设备通知"),
            ("updateMe", "getNotices", "changeNotices"),
        ),
        Clause(
            text("Change your quiet hours and holidays in games of days", "更改您在按小时计时的牌局中的休息时间和假期"),
            ("getCalendar", "changeCalendar", "takeHoliday", "endHoliday"),
        ),
        Clause(
            text("Give and end access to your account", "给予和结束对您账号的访问"),
            (
                *("rotateToken", "listTokens", "createToken", "updateToken", "deleteToken", "listRights"),
                *("createLinkCode", "createRecoveryCode", "linkIdentity", "unlinkIdentity"),
                *("readAppRequest", "answerApp", "readDeviceRequest", "answerDevice"),
            ),
        ),
        Clause(
            text("Let others register with codes of yours", "用您的注册码让他人注册"),
            ("listMyRegistrationCodes", "createMyRegistrationCode", "voidMyRegistrationCode"),
        ),
        Clause(
            text("Appeal against what operators did to your account", "就运维人员的处理提出申诉"),
            ("getAppeal", "putAppeal"),
        ),
        Clause(text("Export and delete your account", "导出和删除您的账号"), ("exportAccount", "deleteMe")),
    ),
}
